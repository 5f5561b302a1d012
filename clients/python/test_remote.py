"""LanceDB for Python in remote mode: a database is a namespace of the catalog, and every row goes through the server."""

import os
import unittest
from datetime import timedelta
from unittest import skipUnless

import lancedb
import pyarrow as pa
from lancedb.index import FTS, Bitmap, BTree, IvfFlat
from lancedb.query import MatchQuery, MultiMatchQuery, PhraseQuery
from lancedb.remote.errors import HttpError
from lancedb.rerankers import RRFReranker

import catalog
from data import airports, ordered

SOURCE = airports()
BY_IATA = ordered(SOURCE, "iata")
PATIENCE = timedelta(minutes=2)

# The server's own default warehouse, in which databases are made.
DATABASES = os.environ.get("DEFAULT_WAREHOUSE")

POINTS = pa.table(
    {
        "id": pa.array([1, 2, 3, 4], pa.int64()),
        "Text": ["a red apple", "a green apple", "a red pear", "a yellow plum"],
        "price": pa.array([1.5, 2.5, None, 4.5], pa.float64()),
        "vector": pa.array([[0, 0], [1, 0], [5, 5], [9, 9]], pa.list_(pa.float32(), 2)),
    }
)
KIWI = POINTS.schema.empty_table().from_pylist([{"id": 5, "Text": "a kiwi", "price": 0.5, "vector": [3, 3]}], POINTS.schema)


def connect(database):
    options = {"retry_config": {"retries": 0}}
    return lancedb.connect(f"db://{database}", api_key="sk_test", host_override=catalog.URL, client_config=options)


def ids(rows):
    return [row["id"] for row in rows]


def everything(table):
    return table.search().limit(100_000).to_arrow()


def setUpModule():
    global lake, db
    lake = catalog.Warehouse().bind()
    db = connect(lake.namespace)


class Tables(unittest.TestCase):
    def setUp(self):
        self.id = (lake.namespace, self._testMethodName)

    def make(self, data=POINTS, **options):
        return db.create_table(self._testMethodName, data, **options)

    def test_created_reads_back_here_and_from_the_server(self):
        self.make(SOURCE)
        table = db.open_table(self._testMethodName)
        self.assertEqual(BY_IATA, ordered(everything(table), "iata"))
        self.assertEqual(SOURCE.schema.names, table.schema.names)
        self.assertEqual(SOURCE.num_rows, table.count_rows())
        self.assertEqual(SOURCE.num_rows, catalog.count(self.id))
        alaska = [row for row in BY_IATA if row["state"] == "AK" and row["latitude"] > 65]
        found = table.search().where("state = 'AK' AND latitude > 65").limit(1000).to_arrow()
        self.assertEqual(alaska, ordered(found, "iata"))

    def test_created_twice_fails_and_keeps_the_first_unless_asked_otherwise(self):
        self.make()
        with self.assertRaisesRegex(ValueError, "already exists"):
            self.make()
        self.assertEqual(4, self.make(KIWI, exist_ok=True).count_rows())
        self.assertEqual(1, self.make(KIWI, mode="overwrite").count_rows())

    def test_absent_is_said_to_be_absent(self):
        with self.assertRaisesRegex(Exception, "(?i)not found"):
            db.open_table("nowhere")

    def test_listed_by_name_and_by_pages(self):
        own = connect(catalog.Warehouse().bind().namespace)
        for name in ("c", "a", "b"):
            own.create_table(name, POINTS)
        self.assertEqual(["a", "b", "c"], list(own.table_names()))
        self.assertEqual(["a", "b"], list(own.table_names(limit=2))[:2])
        self.assertEqual(["b", "c"], list(own.table_names("a")))
        self.assertEqual(["a", "b", "c"], own.list_tables().tables)
        own.drop_table("b")
        self.assertEqual(["a", "c"], list(own.table_names()))

    def test_namespaces_hold_tables_of_their_own(self):
        db.create_namespace(["inner"], mode="create", properties={"owner": "ann"})
        self.assertEqual({"owner": "ann"}, db.describe_namespace(["inner"]).properties)
        self.assertIn("inner", db.list_namespaces().namespaces)
        table = db.create_table("deep", POINTS, namespace_path=["inner"])
        self.assertEqual(4, table.count_rows())
        self.assertEqual(4, catalog.count((lake.namespace, "inner", "deep")))
        self.assertEqual(["deep"], list(db.table_names(namespace_path=["inner"])))
        db.drop_namespace(["inner"], behavior="cascade")
        self.assertNotIn("inner", db.list_namespaces().namespaces)

    def test_changes_are_told_and_seen(self):
        table = self.make()
        self.assertEqual(2, table.add(KIWI).version)
        source = [
            {"id": 5, "Text": "two kiwis", "price": 1.0, "vector": [3, 3]},
            {"id": 6, "Text": "a fig", "price": 2.0, "vector": [4, 4]},
        ]
        merge = table.merge_insert("id").when_matched_update_all().when_not_matched_insert_all()
        merged = merge.execute(pa.Table.from_pylist(source, POINTS.schema))
        self.assertEqual((1, 1, 0), (merged.num_updated_rows, merged.num_inserted_rows, merged.num_deleted_rows))
        self.assertEqual(2, table.update(where="id > 4", values_sql={"price": "price * 10"}).rows_updated)
        deleted = table.delete("id = 1")
        self.assertEqual(1, deleted.num_deleted_rows)
        rows = ordered(everything(table), "id")
        wanted = [(2, "a green apple", 2.5), (3, "a red pear", None), (4, "a yellow plum", 4.5), (5, "two kiwis", 10), (6, "a fig", 20)]
        self.assertEqual(wanted, [(row["id"], row["Text"], row["price"]) for row in rows])
        table.add(POINTS, mode="overwrite")
        self.assertEqual([1, 2, 3, 4], sorted(everything(table)["id"].to_pylist()))

    def test_merged_by_several_keys(self):
        table = self.make()
        source = pa.Table.from_pylist([{"id": 1, "Text": "a red apple", "price": 9.0, "vector": [0, 0]}], POINTS.schema)
        table.merge_insert(["id", "Text"]).when_matched_update_all().when_not_matched_by_source_delete("id > 2").execute(source)
        self.assertEqual([(1, 9), (2, 2.5)], [(row["id"], row["price"]) for row in ordered(everything(table), "id")])

    def test_nearest_vectors_are_found(self):
        table = self.make()
        self.assertEqual([2, 1, 3], ids(table.search([0.9, 0]).limit(3).to_list()))
        self.assertEqual([0, 1], [row["_distance"] for row in table.search([0, 0]).distance_type("l2").limit(2).to_list()])
        self.assertEqual([2, 4], ids(table.search([0, 0]).where("price > 2", prefilter=True).limit(2).to_list()))
        self.assertEqual([2, 3], ids(table.search([0, 0]).distance_range(0.5, 60).limit(9).to_list()))
        self.assertEqual([2, 3], ids(table.search([0, 0]).limit(2).offset(1).to_list()))
        several = table.search([[9, 9], [0.9, 0]]).limit(1).to_list()
        self.assertEqual([(0, 4), (1, 2)], sorted((row["query_index"], row["id"]) for row in several))

    def test_columns_are_computed(self):
        table = self.make()
        columns = {"id": "id", "loud": "upper(`Text`)", "twice": "price * 2"}
        rows = table.search().where("id < 3").select(columns).limit(9).to_list()
        self.assertEqual(
            [{"id": 1, "loud": "A RED APPLE", "twice": 3.0}, {"id": 2, "loud": "A GREEN APPLE", "twice": 5.0}],
            sorted(rows, key=lambda row: row["id"]),
        )
        near = table.search([1, 0]).select({"id": "id", "share": "_distance / 2"}).limit(2).to_list()
        self.assertEqual([(2, 0), (1, 0.5)], [(row["id"], row["share"]) for row in near])
        with self.assertRaisesRegex(Exception, "bracket"):
            table.search().select({"x": "upper(`Text`"}).to_list()

    def test_words_are_found_and_joined_with_vectors(self):
        table = self.make()
        table.create_fts_index("Text", with_position=True, wait_timeout=PATIENCE)
        table.wait_for_index(["Text_idx"], PATIENCE)
        self.assertEqual([1, 2], sorted(ids(table.search("apple", query_type="fts").limit(9).to_list())))
        for query, wanted in (
            (PhraseQuery("red apple", "Text"), [1]),
            (MatchQuery("plom", "Text", fuzziness=1), [4]),
            (MultiMatchQuery("plum", ["Text"]), [4]),
        ):
            with self.subTest(query=query):
                self.assertEqual(wanted, sorted(ids(table.search(query, query_type="fts").limit(9).to_list())))
        hybrid = table.search(query_type="hybrid").vector([9, 9]).text("apple").rerank(RRFReranker()).limit(3).to_list()
        self.assertEqual(3, len(hybrid))
        self.assertIn(4, ids(hybrid))
        self.assertTrue({1, 2} & set(ids(hybrid)))

    def test_plans_are_told(self):
        table = self.make()
        self.assertRegex(table.search([0, 0]).limit(2).explain_plan(), "KNN|ANN|VectorSearch")
        self.assertIn("output_rows=3", table.search().where("id > 1").limit(9).analyze_plan())

    def test_indices_are_made_listed_measured_and_dropped(self):
        many = [{"id": i, "Text": f"t{i % 7}", "price": i / 4, "vector": [i % 17, i % 23]} for i in range(300)]
        table = self.make(pa.Table.from_pylist(many, POINTS.schema))
        table.create_index("vector", config=IvfFlat(distance_type="cosine", num_partitions=2), name="near")
        table.create_index("id", config=BTree())
        table.create_index("Text", config=Bitmap(), wait_timeout=PATIENCE)
        table.wait_for_index(["near", "id_idx", "Text_idx"], PATIENCE)
        listed = {index.name: (index.index_type, index.columns) for index in table.list_indices()}
        self.assertEqual(
            {"near": ("IvfFlat", ["vector"]), "id_idx": ("BTree", ["id"]), "Text_idx": ("Bitmap", ["Text"])}, listed
        )
        stats = table.index_stats("near")
        self.assertEqual((300, 0, "cosine"), (stats.num_indexed_rows, stats.num_unindexed_rows, stats.distance_type))
        self.assertIsNone(table.index_stats("none"))
        table.prewarm_index("id_idx")
        table.prewarm_data()
        with self.assertRaisesRegex(Exception, "(?i)not found|no index"):
            table.prewarm_index("none")
        table.drop_index("id_idx")
        self.assertNotIn("id_idx", [index.name for index in table.list_indices()])
        catalog.call("POST", catalog.table_path(self.id, "create_scalar_index"), {"column": "price", "index_type": "ZONEMAP"})
        table.wait_for_index(["price_idx"], PATIENCE)
        self.assertIn("price_idx", [index.name for index in table.list_indices()])

    def test_settings_of_words_that_the_server_lacks_are_refused(self):
        table = self.make()
        with self.assertRaisesRegex(Exception, "base_tokenizer"):
            table.create_index("Text", config=FTS(base_tokenizer="icu"))

    def test_versions_are_listed_read_tagged_and_returned_to(self):
        table = self.make()
        table.add(KIWI)
        self.assertEqual(2, table.version)
        self.assertEqual([1, 2], sorted(version["version"] for version in table.list_versions()))
        table.tags.create("first", 1)
        self.assertEqual(1, table.tags.list()["first"]["version"])
        self.assertEqual(1, table.tags.get_version("first"))
        table.checkout("first")
        self.assertEqual(4, table.count_rows())
        table.checkout_latest()
        self.assertEqual(5, table.count_rows())
        table.restore(1)
        self.assertEqual((4, 3), (table.count_rows(), table.version))
        table.tags.update("first", 2)
        self.assertEqual(2, table.tags.get_version("first"))
        table.tags.delete("first")
        self.assertEqual({}, table.tags.list())
        with self.assertRaisesRegex(Exception, "(?i)not found"):
            table.tags.get_version("first")

    def test_branches_have_rows_of_their_own(self):
        table = self.make()
        trial = table.branches.create("trial")
        trial.add(KIWI)
        self.assertEqual((5, 4), (trial.count_rows(), table.count_rows()))
        self.assertIn("trial", table.branches.list())
        table.branches.delete("trial")
        self.assertNotIn("trial", table.branches.list())

    def test_columns_are_added_changed_and_dropped(self):
        table = self.make()
        table.add_columns({"twice": "id * 2"})
        table.alter_columns({"path": "twice", "rename": "double", "data_type": pa.float64()})
        self.assertEqual([2.0, 4.0, 6.0, 8.0], [row["double"] for row in ordered(everything(table), "id")])
        self.assertEqual(pa.float64(), table.schema.field("double").type)
        table.update_field_metadata({"path": "double", "metadata": {"unit": "none"}})
        table.drop_columns(["double"])
        self.assertEqual(POINTS.schema.names, table.schema.names)

    def test_statistics_count_rows(self):
        self.assertEqual(4, self.make().stats()["num_rows"])

    def test_rows_are_taken_by_their_ids(self):
        table = self.make()
        rows = table.search().with_row_id(True).limit(9).to_list()
        wanted = [row["_rowid"] for row in rows if row["id"] in (2, 4)]
        self.assertEqual([2, 4], sorted(ids(table.take_row_ids(wanted).to_list())))

    def test_renamed_keeps_its_rows(self):
        self.make()
        db.rename_table(self._testMethodName, "renamed")
        self.assertEqual(4, db.open_table("renamed").count_rows())
        with self.assertRaisesRegex(Exception, "(?i)not found"):
            db.open_table(self._testMethodName)

    def test_jobs_are_followed(self):
        table = self.make()
        table.create_index_async("id", config=BTree()).wait()
        self.assertIn("id_idx", [index.name for index in table.list_indices()])
        self.assertIn(self._testMethodName, [job.table for job in db.list_jobs()])

    def test_refused_names_the_request_and_the_cause(self):
        table = self.make()
        with self.assertRaises(HttpError) as refused:
            table.delete("id = = 1")
        self.assertEqual(400, refused.exception.status_code)
        self.assertTrue(refused.exception.request_id)
        self.assertIn("invalid_input", str(refused.exception))
        self.assertEqual(4, table.count_rows())


@skipUnless(DATABASES, "no default warehouse is named")
class Catalogs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        catalog.call("POST", "projects", {"id": DATABASES})
        catalog.call("POST", "warehouses", {"id": DATABASES, "project": DATABASES})

    def test_databases_are_made_opened_listed_and_dropped(self):
        name = f"{lake.namespace}/made"
        databases = lancedb.connect_catalog(catalog.URL, api_key="sk_test")
        made = databases.create_database(name)
        made.create_table("t", POINTS)
        with self.assertRaisesRegex(Exception, "(?i)exists"):
            databases.create_database(name)
        databases.create_database(name, exist_ok=True)
        self.assertEqual(4, databases.connect_database(name).open_table("t").count_rows())
        self.assertIn(name, databases.list_databases().databases)
        with self.assertRaisesRegex(Exception, "(?i)not empty|holds|contains"):
            databases.drop_database(name)
        made.drop_table("t")
        databases.drop_database(name)
        self.assertNotIn(name, databases.list_databases().databases)
        with self.assertRaisesRegex(Exception, "(?i)not found|does not exist"):
            databases.connect_database(name)
        databases.drop_database(name, ignore_missing=True)


if __name__ == "__main__":
    unittest.main()
