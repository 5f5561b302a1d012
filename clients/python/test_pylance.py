"""pylance: its own REST namespace, with the error class of each code, and datasets opened through it and by location."""

import unittest

import lance
from lance.namespace import RestNamespace
from lance_namespace import errors
import lance_namespace as spec

import catalog
from data import airports, numbers, ordered, rows, stream

SOURCE = airports()


def setUpModule():
    global lake, rest
    lake = catalog.Warehouse().bind()
    rest = RestNamespace(uri=catalog.URL)


class Case(unittest.TestCase):
    def setUp(self):
        self.id = [lake.namespace, self._testMethodName]

    def make(self, table=SOURCE, **options):
        rest.create_table(spec.CreateTableRequest(id=self.id, **options), stream(table))

    def count(self, table_id=None):
        return rest.count_table_rows(spec.CountTableRowsRequest(id=table_id or self.id)).count

    def describe(self):
        return rest.describe_table(spec.DescribeTableRequest(id=self.id))


class Namespace(Case):
    def test_lives_from_create_to_drop(self):
        rest.create_namespace(spec.CreateNamespaceRequest(id=self.id, properties={"owner": "ann"}))
        told = rest.describe_namespace(spec.DescribeNamespaceRequest(id=self.id))
        self.assertEqual({"owner": "ann"}, told.properties)
        rest.namespace_exists(spec.NamespaceExistsRequest(id=self.id))
        self.assertIn(self.id[1], rest.list_namespaces(spec.ListNamespacesRequest(id=self.id[:1])).namespaces)
        with self.assertRaises(errors.NamespaceAlreadyExistsError):
            rest.create_namespace(spec.CreateNamespaceRequest(id=self.id))
        rest.create_table(spec.CreateTableRequest(id=[*self.id, "t"]), stream(numbers(1)))
        with self.assertRaises(errors.NamespaceNotEmptyError):
            rest.drop_namespace(spec.DropNamespaceRequest(id=self.id))
        rest.drop_table(spec.DropTableRequest(id=[*self.id, "t"]))
        rest.drop_namespace(spec.DropNamespaceRequest(id=self.id))
        with self.assertRaises(errors.NamespaceNotFoundError):
            rest.describe_namespace(spec.DescribeNamespaceRequest(id=self.id))


class Table(Case):
    def test_lives_from_create_to_drop(self):
        self.make(properties={"source": "vega"})
        told = self.describe()
        self.assertEqual((1, {"source": "vega"}), (told.version, told.properties))
        rest.table_exists(spec.TableExistsRequest(id=self.id))
        self.assertIn(self.id[1], rest.list_tables(spec.ListTablesRequest(id=self.id[:1])).tables)
        with self.assertRaises(errors.TableAlreadyExistsError):
            self.make()
        rest.insert_into_table(spec.InsertIntoTableRequest(id=self.id), stream(SOURCE.slice(0, 10)))
        self.assertEqual(SOURCE.num_rows + 10, self.count())
        rest.drop_table(spec.DropTableRequest(id=self.id))
        for refused in (self.describe, self.count):
            with self.assertRaises(errors.TableNotFoundError):
                refused()

    def test_rows_come_back_as_the_source_has_them_and_change_where_the_predicate_says(self):
        self.make()
        plain = {"single_vector": []}
        answer = rest.query_table({"id": self.id, "k": 10000, "vector": plain, "filter": "state = 'AK'"})
        alaska = [row for row in SOURCE.to_pylist() if row["state"] == "AK"]
        self.assertEqual(alaska, rows(answer.data).to_pylist())
        changed = rest.update_table(
            spec.UpdateTableRequest(id=self.id, predicate="state = 'AK'", updates=[["country", "'Alaska'"]])
        )
        self.assertEqual(len(alaska), changed.updated_rows)
        rest.delete_from_table(spec.DeleteFromTableRequest(id=self.id, predicate="country = 'Alaska'"))
        self.assertEqual(SOURCE.num_rows - len(alaska), self.count())
        with self.assertRaises(errors.TableColumnNotFoundError):
            rest.delete_from_table(spec.DeleteFromTableRequest(id=self.id, predicate="nope = 1"))
        with self.assertRaises(errors.InvalidInputError):
            rest.delete_from_table(spec.DeleteFromTableRequest(id=self.id, predicate="state = ="))
        with self.assertRaises(errors.TableVersionNotFoundError):
            rest.describe_table(spec.DescribeTableRequest(id=self.id, version=99))

    def test_opened_by_the_catalog_and_by_its_location_is_the_same_table(self):
        self.make()
        by_catalog = lance.dataset(namespace_client=rest, table_id=self.id)
        told = self.describe()
        by_place = lance.dataset(told.location, storage_options=told.storage_options)
        for dataset in (by_catalog, by_place):
            self.assertEqual(SOURCE.to_pylist(), dataset.to_table().to_pylist())

    def test_written_by_the_library_is_what_the_server_counts(self):
        self.make(numbers(1, 2))
        lance.write_dataset(numbers(3), namespace_client=rest, table_id=self.id, mode="append")
        self.assertEqual(3, self.count())
        told = self.describe()
        with_index = lance.dataset(told.location, storage_options=told.storage_options)
        with_index.create_scalar_index("id", "BTREE")
        with_index.delete("id = 1")
        with_index.optimize.compact_files()
        self.assertEqual(2, self.count())
        answer = rest.query_table({"id": self.id, "k": 10, "vector": {"single_vector": []}, "filter": "id = 3"})
        self.assertEqual([{"id": 3}], rows(answer.data).to_pylist())
        made = [lake.namespace, "made-by-the-library"]
        lance.write_dataset(numbers(7, 8), namespace_client=rest, table_id=made, mode="create")
        self.assertEqual(2, self.count(made))

    def test_all_tables_are_listed(self):
        self.make(numbers(1))
        self.assertIn("$".join(self.id), rest.list_all_tables(spec.ListTablesRequest(limit=1000)).tables)

    def test_deregistered_and_registered_again_keeps_its_rows(self):
        self.make(numbers(1, 2))
        place = rest.deregister_table(spec.DeregisterTableRequest(id=self.id)).location.rsplit("/", 1)[1]
        with self.assertRaises(errors.TableNotFoundError):
            self.describe()
        rest.register_table(spec.RegisterTableRequest(id=self.id, location=place))
        self.assertEqual(2, self.count())

    def test_renamed_is_found_under_the_new_name_alone(self):
        self.make(numbers(1, 2))
        rest.rename_table(spec.RenameTableRequest(id=self.id, new_table_name="renamed"))
        self.assertEqual(2, self.count([self.id[0], "renamed"]))
        with self.assertRaises(errors.TableNotFoundError):
            self.describe()

    def test_merged_rows_replace_and_join_the_others(self):
        self.make(numbers(1, 2))
        request = spec.MergeInsertIntoTableRequest(
            id=self.id, on=["id"], when_matched_update_all=True, when_not_matched_insert_all=True
        )
        told = rest.merge_insert_into_table(request, stream(numbers(2, 3)))
        self.assertEqual((1, 1), (told.num_updated_rows, told.num_inserted_rows))
        self.assertEqual(3, self.count())

    def test_stats_count_the_rows(self):
        self.make()
        self.assertEqual(SOURCE.num_rows, rest.get_table_stats(spec.GetTableStatsRequest(id=self.id)).num_rows)

    def test_plans_are_told_in_words(self):
        self.make()
        query = {"k": 10, "vector": {"single_vector": []}, "filter": "state = 'AK'"}
        self.assertIn("state", rest.explain_table_query_plan(spec.ExplainTableQueryPlanRequest(id=self.id, query=query)))
        self.assertIn("state", rest.analyze_table_query_plan(spec.AnalyzeTableQueryPlanRequest(id=self.id, **query)))


if __name__ == "__main__":
    unittest.main()
