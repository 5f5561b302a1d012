"""LanceDB for Python in namespace mode: it asks the catalog where tables are, and reads and writes them itself."""

import unittest

import lancedb

import catalog
from data import airports, movies, ordered

SOURCE = airports()
BY_IATA = ordered(SOURCE, "iata")


def setUpModule():
    global lake, db
    lake = catalog.Warehouse().bind()
    db = lancedb.connect_namespace("rest", {"uri": catalog.URL})


class Tables(unittest.TestCase):
    def setUp(self):
        self.path = [lake.namespace]
        self.id = (lake.namespace, self._testMethodName)

    def make(self, data=SOURCE, **options):
        return db.create_table(self._testMethodName, data, namespace_path=self.path, **options)

    def test_created_reads_back_here_and_from_the_server(self):
        self.make()
        table = db.open_table(self._testMethodName, namespace_path=self.path)
        self.assertEqual(BY_IATA, ordered(table.to_arrow(), "iata"))
        self.assertEqual(SOURCE.schema.names, table.schema.names)
        self.assertEqual(SOURCE.num_rows, catalog.count(self.id))
        self.assertIn(self._testMethodName, db.list_tables(self.path).tables)
        self.assertIn(self._testMethodName, list(db.table_names(namespace_path=self.path, limit=100)))

    def test_added_updated_and_deleted_rows_are_seen_by_the_server(self):
        table = self.make()
        alaska = sum(row["state"] == "AK" for row in BY_IATA)
        table.add([{**BY_IATA[0], "iata": "ZZZ", "state": None}])
        table.update(where="state = 'AK'", values={"country": "Alaska"})
        table.delete("state = 'TX'")
        wanted = [{**row, "country": "Alaska"} if row["state"] == "AK" else row for row in BY_IATA if row["state"] != "TX"]
        wanted.append({**BY_IATA[0], "iata": "ZZZ", "state": None})
        self.assertEqual(sorted(wanted, key=lambda row: row["iata"]), ordered(table.to_arrow(), "iata"))
        self.assertEqual(len(wanted), catalog.count(self.id))
        path = catalog.table_path(self.id, "count_rows")
        self.assertEqual(alaska, catalog.call("POST", path, {"predicate": "country = 'Alaska'"}))

    def test_upserted_rows_replace_and_join_the_others(self):
        table = self.make()
        source = [{**BY_IATA[0], "name": "renamed"}, {**BY_IATA[1], "iata": "ZZZ"}]
        table.merge_insert("iata").when_matched_update_all().when_not_matched_insert_all().execute(source)
        self.assertEqual(SOURCE.num_rows + 1, catalog.count(self.id))
        found = table.search().where("name = 'renamed'").limit(5).to_list()
        self.assertEqual([BY_IATA[0]["iata"]], [row["iata"] for row in found])

    def test_created_twice_fails_and_keeps_the_first_unless_asked_otherwise(self):
        self.make()
        with self.assertRaisesRegex(Exception, "(?i)already exists"):
            self.make()
        self.make(SOURCE.slice(0, 3), exist_ok=True)
        self.assertEqual(SOURCE.num_rows, catalog.count(self.id))
        self.make(SOURCE.slice(0, 3), mode="overwrite")
        self.assertEqual(3, catalog.count(self.id))

    def test_dropped_is_gone(self):
        self.make()
        db.drop_table(self._testMethodName, namespace_path=self.path)
        self.assertNotIn(self._testMethodName, db.list_tables(self.path).tables)
        with self.assertRaisesRegex(Exception, "(?i)not found"):
            db.open_table(self._testMethodName, namespace_path=self.path)

    def test_movies_keep_nulls_and_names_with_spaces(self):
        source = movies()
        table = self.make(source)
        self.assertEqual(source.to_pylist(), ordered(table.to_arrow(), "row"))
        found = table.search().where("`IMDB Rating` >= 8 AND `Major Genre` = 'Drama'").limit(1000).to_list()
        wanted = [row for row in source.to_pylist() if (row["IMDB Rating"] or 0) >= 8 and row["Major Genre"] == "Drama"]
        self.assertGreater(len(wanted), 10)
        self.assertEqual([row["row"] for row in wanted], sorted(row["row"] for row in found))

    def test_renamed_keeps_its_rows(self):
        self.make()
        db.rename_table(self._testMethodName, "renamed", cur_namespace_path=self.path, new_namespace_path=self.path)
        self.assertEqual(SOURCE.num_rows, db.open_table("renamed", namespace_path=self.path).count_rows())
        with self.assertRaisesRegex(Exception, "(?i)not found"):
            db.open_table(self._testMethodName, namespace_path=self.path)


class Namespaces(unittest.TestCase):
    def test_nest_and_refuse_to_go_while_something_is_inside(self):
        parent, nested = [lake.namespace, "films"], [lake.namespace, "films", "by decade"]
        db.create_namespace(parent, properties={"owner": "ops"})
        db.create_namespace(nested)
        self.assertEqual({"owner": "ops"}, db.describe_namespace(parent).properties)
        self.assertEqual(["by decade"], db.list_namespaces(parent).namespaces)
        db.create_table("few", SOURCE.slice(0, 3), namespace_path=nested)
        with self.assertRaisesRegex(Exception, "(?i)exist"):
            db.create_namespace(parent)
        for path in (parent, nested):
            with self.assertRaisesRegex(Exception, "(?i)not empty|contains|holds|inside"):
                db.drop_namespace(path)
        db.drop_table("few", namespace_path=nested)
        db.drop_namespace(nested)
        db.drop_namespace(parent)
        with self.assertRaisesRegex(Exception, "(?i)not found"):
            db.describe_namespace(parent)


if __name__ == "__main__":
    unittest.main()
