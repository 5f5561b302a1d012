"""The generated client lance-namespace-urllib3-client, which takes an answer only with the exact status it knows."""

import base64
import json
import time
import unittest

import lance_namespace_urllib3_client as client
from lance_namespace_urllib3_client import exceptions, models

import catalog
from data import airports, numbers, ordered, rows, stream

CALLED = set()
SOURCE = airports()
EVERYTHING = {"k": 10000, "vector": models.QueryTableRequestVector(single_vector=[])}


class Recording(client.ApiClient):
    """The client itself; it also notes which operations it called."""

    def call_api(self, method, url, *rest, **more):
        path = url.removeprefix(catalog.URL).split("?")[0]
        CALLED.update(each.name for each in catalog.OPERATIONS.values() if each.method == method and each.path.fullmatch(path))
        return super().call_api(method, url, *rest, **more)


def setUpModule():
    global namespace, lake, namespaces, tables, data, transactions, views
    lake = catalog.Warehouse().bind()
    namespace = lake.namespace
    api = Recording(client.Configuration(host=catalog.URL))
    namespaces, tables, data = client.NamespaceApi(api), client.TableApi(api), client.DataApi(api)
    transactions = client.TransactionApi(api)
    views = client.MaterializedViewApi(api)


def tearDownModule():
    missed = {name for name, operation in catalog.OPERATIONS.items() if operation.served} - CALLED
    if missed:
        raise AssertionError(f"served, and never called by the generated client: {', '.join(sorted(missed))}")


class Case(unittest.TestCase):
    def name(self):
        return f"{namespace}${self._testMethodName}"

    def make(self, table=SOURCE, **options):
        made = data.create_table(self.name(), stream(table), **options)
        self.assertIsInstance(made, models.CreateTableResponse)
        return self.name()

    def refused(self, status, code, call, *arguments, declared=True, **options):
        with self.assertRaises(exceptions.ApiException) as caught:
            call(*arguments, **options)
        self.assertEqual(status, caught.exception.status)
        self.assertEqual(code, json.loads(caught.exception.body)["code"])
        if not declared:
            return json.loads(caught.exception.body)["error"]
        # With a status that the specification declares, the body arrives as the client's own model.
        self.assertIsInstance(caught.exception.data, models.ErrorResponse)
        self.assertEqual(code, caught.exception.data.code)
        return caught.exception.data.error

    def read(self, table, **request):
        return rows(data.query_table(table, models.QueryTableRequest(**{**EVERYTHING, **request})))

    def count(self, table, predicate=None):
        return data.count_table_rows(table, models.CountTableRowsRequest(predicate=predicate))


class Namespaces(Case):
    def test_lives_from_create_to_drop(self):
        name = self.name()
        made = namespaces.create_namespace(name, models.CreateNamespaceRequest(properties={"owner": "ann"}))
        self.assertEqual({"owner": "ann"}, made.properties)
        self.assertEqual({"owner": "ann"}, namespaces.describe_namespace(name, models.DescribeNamespaceRequest()).properties)
        self.assertIn(self._testMethodName, namespaces.list_namespaces(namespace).namespaces)
        namespaces.namespace_exists(name, models.NamespaceExistsRequest())
        self.assertIsInstance(namespaces.drop_namespace(name, models.DropNamespaceRequest()), models.DropNamespaceResponse)
        self.refused(404, 1, namespaces.namespace_exists, name, models.NamespaceExistsRequest())

    def test_refusals_carry_their_codes(self):
        name = self.name()
        namespaces.create_namespace(name, models.CreateNamespaceRequest())
        again = models.CreateNamespaceRequest()
        self.refused(409, 2, namespaces.create_namespace, name, again)
        self.refused(404, 1, namespaces.create_namespace, f"{namespace}$absent$below", again)
        self.refused(404, 1, namespaces.describe_namespace, f"{namespace}$absent", models.DescribeNamespaceRequest())
        self.refused(404, 1, namespaces.list_namespaces, f"{namespace}$absent")
        self.refused(400, 13, namespaces.create_namespace, f"{namespace}$..", again)
        data.create_table(f"{name}$t", stream(numbers(1)))
        self.assertIn(name.split("$")[1], self.refused(409, 3, namespaces.drop_namespace, name, models.DropNamespaceRequest()))
        kept = namespaces.create_namespace(name, models.CreateNamespaceRequest(mode="ExistOk"))
        self.assertIsInstance(kept, models.CreateNamespaceResponse)
        tables.drop_table(f"{name}$t")
        namespaces.drop_namespace(name, models.DropNamespaceRequest())
        gone = namespaces.drop_namespace(name, models.DropNamespaceRequest(mode="Skip"))
        self.assertIsInstance(gone, models.DropNamespaceResponse)


class Tables(Case):
    def test_lives_from_create_to_drop(self):
        table = self.make(properties=json.dumps({"source": "vega"}))
        told = tables.describe_table(table, models.DescribeTableRequest())
        self.assertEqual((1, {"source": "vega"}), (told.version, told.properties))
        self.assertEqual(SOURCE.schema.names, [field.name for field in told.var_schema.fields])
        tables.table_exists(table, models.TableExistsRequest())
        self.assertIn(self._testMethodName, tables.list_tables(namespace).tables)
        gone = tables.drop_table(table)
        self.assertEqual((told.location, table.split("$")), (gone.location, gone.id))
        self.refused(404, 4, tables.table_exists, table, models.TableExistsRequest())
        self.refused(404, 4, tables.describe_table, table, models.DescribeTableRequest())
        self.refused(404, 4, tables.drop_table, table)

    def test_declared_becomes_a_table_by_its_first_insert(self):
        table = self.name()
        made = tables.declare_table(table, models.DeclareTableRequest(properties={"a": "b"}))
        told = tables.describe_table(table, models.DescribeTableRequest())
        self.assertEqual((made.location, None, {"a": "b"}), (told.location, told.version, told.properties))
        self.refused(409, 5, tables.declare_table, table, models.DeclareTableRequest())
        self.refused(409, 19, self.count, table, declared=False)
        inserted = data.insert_into_table(table, stream(numbers(1, 2)))
        self.assertEqual((2, 1), (inserted.num_inserted_rows, inserted.version))
        self.assertEqual(2, self.count(table))

    def test_refuses_a_second_create_in_every_mode_as_it_should(self):
        table = self.make(numbers(1))
        self.refused(409, 5, data.create_table, table, stream(numbers(2, 3)))
        data.create_table(table, stream(numbers(2, 3)), mode="exist_ok")
        self.assertEqual(1, self.count(table))
        self.assertEqual(2, data.create_table(table, stream(numbers(2, 3)), mode="overwrite").version)
        self.assertEqual(2, self.count(table))
        self.refused(404, 1, data.create_table, "absent-namespace$t", stream(numbers(1)))
        self.refused(400, 13, data.create_table, f"{namespace}$bad", b"this is no stream of Arrow data")

    def test_absent_versions_tags_and_branches_are_named_as_what_they_are(self):
        table = self.make(numbers(1))
        self.refused(404, 11, tables.describe_table, table, models.DescribeTableRequest(version=99))
        self.refused(404, 8, tables.describe_table, table, models.DescribeTableRequest(tag="none"))
        self.refused(404, 22, tables.describe_table, table, models.DescribeTableRequest(branch="none"))

    def test_all_tables_are_listed_with_their_whole_ids(self):
        table = self.make(numbers(1))
        found, token = [], None
        while True:
            page = tables.list_all_tables(page_token=token, limit=100)
            found += page.tables
            token = page.page_token
            if not token:
                break
        self.assertIn(table, found)

    def test_renamed_is_found_under_the_new_name_alone(self):
        table = self.make(numbers(1, 2), properties=json.dumps({"a": "b"}))
        before = tables.describe_table(table, models.DescribeTableRequest())
        renamed = tables.rename_table(table, models.RenameTableRequest(new_table_name="renamed"))
        self.assertIsInstance(renamed, models.RenameTableResponse)
        after = tables.describe_table(f"{namespace}$renamed", models.DescribeTableRequest())
        self.assertEqual((before.location, {"a": "b"}), (after.location, after.properties))
        self.assertEqual(2, self.count(f"{namespace}$renamed"))
        self.refused(404, 4, tables.describe_table, table, models.DescribeTableRequest())
        self.refused(404, 4, tables.rename_table, table, models.RenameTableRequest(new_table_name="other"))

    def test_deregistered_and_registered_again_keeps_its_rows(self):
        table = self.make(numbers(1, 2, 3))
        gone = tables.deregister_table(table, models.DeregisterTableRequest())
        self.assertIsNotNone(gone.location)
        self.refused(404, 4, tables.describe_table, table, models.DescribeTableRequest())
        place = gone.location.rsplit("/", 1)[1]
        back = tables.register_table(table, models.RegisterTableRequest(location=place, properties={"back": "yes"}))
        self.assertTrue(back.location.endswith(place))
        self.assertEqual({"back": "yes"}, tables.describe_table(table, models.DescribeTableRequest()).properties)
        self.assertEqual(3, self.count(table))
        self.refused(409, 5, tables.register_table, table, models.RegisterTableRequest(location=place))
        self.refused(400, 13, tables.register_table, f"{namespace}$escaped", models.RegisterTableRequest(location="../x"))

    def test_columns_come_change_and_go(self):
        table = self.make(numbers(3))
        first = numbers(3).schema.names[0]
        entry = models.AddColumnsEntry(name="twice", expression=f"{first} * 2")
        added = data.alter_table_add_columns(table, models.AlterTableAddColumnsRequest(new_columns=[entry]))
        self.assertEqual(2, added.version)
        change = models.AlterColumnsEntry(path="twice", rename="text", data_type={"type": "utf8"})
        altered = tables.alter_table_alter_columns(table, models.AlterTableAlterColumnsRequest(alterations=[change]))
        self.assertEqual(3, altered.version)
        self.assertEqual(1, self.count(table, f"text = cast({first} * 2 as string)"))
        update = models.UpdateFieldMetadataEntry(path="text", metadata={"unit": "none"})
        told = tables.update_field_metadata(table, models.UpdateFieldMetadataRequest(updates=[update]))
        self.assertEqual((4, {"text": {"unit": "none"}}), (told.version, told.fields))
        dropped = tables.alter_table_drop_columns(table, models.AlterTableDropColumnsRequest(columns=["text"]))
        self.assertEqual(5, dropped.version)
        self.refused(404, 12, tables.alter_table_drop_columns, table, models.AlterTableDropColumnsRequest(columns=["text"]))
        self.assertEqual({"a": "1"}, tables.update_table_schema_metadata(table, {"a": "1"}))

    def test_a_computed_column_is_filled_by_a_job(self):
        table = self.make(numbers(1, 2, 3))
        first = numbers(3).schema.names[0]
        entry = models.AddColumnsEntry.from_dict({"name": "twice", "computed": f"{first} * 2"})
        data.alter_table_add_columns(table, models.AlterTableAddColumnsRequest(new_columns=[entry]))
        filling = models.AlterTableBackfillColumnsRequest(column="twice")
        self.assertTrue(data.alter_table_backfill_columns(table, filling).job_id)
        end = time.monotonic() + 120
        while self.count(table, f"twice = {first} * 2") < 3 and time.monotonic() < end:
            time.sleep(0.2)
        self.assertEqual(3, self.count(table, f"twice = {first} * 2"))
        missing = models.AlterTableBackfillColumnsRequest(column="absent")
        self.refused(404, 12, data.alter_table_backfill_columns, table, missing)

    def test_stats_count_the_rows(self):
        told = tables.get_table_stats(self.make(), models.GetTableStatsRequest())
        self.assertEqual((SOURCE.num_rows, 0), (told.num_rows, told.num_indices))
        self.assertGreater(told.total_bytes, 0)
        self.refused(404, 4, tables.get_table_stats, f"{namespace}$absent", models.GetTableStatsRequest())


class Batches(Case):
    def test_change_several_tables_together_and_tell_it(self):
        table = self.make(numbers(1))
        declared = models.CommitTableOperation(declare_table=models.DeclareTableRequest(id=[namespace, "declared_together"]))
        gone = models.CommitTableOperation(deregister_table=models.DeregisterTableRequest(id=table.split("$")))
        done = tables.batch_commit_tables(models.BatchCommitTablesRequest(operations=[declared, gone]))
        self.assertTrue(done.results[0].declare_table.location)
        self.assertTrue(done.results[1].deregister_table.location)
        self.refused(404, 4, tables.describe_table, table, models.DescribeTableRequest())
        told = transactions.describe_transaction(done.transaction_id, models.DescribeTransactionRequest())
        self.assertEqual("Succeeded", told.status)
        note = models.AlterTransactionSetProperty(key="by", value="ann")
        request = models.AlterTransactionRequest(actions=[models.AlterTransactionAction(set_property_action=note)])
        self.assertEqual("ann", transactions.alter_transaction(done.transaction_id, request).properties["by"])

    def test_a_version_that_is_there_is_not_made_again(self):
        table = self.make(numbers(1))
        taken = models.CreateTableVersionEntry(id=table.split("$"), version=1, manifest_path="_versions/staged")
        request = models.BatchCreateTableVersionsRequest(entries=[taken])
        self.refused(409, 14, tables.batch_create_table_versions, request)


class Indices(Case):
    def test_are_made_listed_and_dropped(self):
        table = self.make(numbers(1, 2))
        btree = models.CreateTableIndexRequest(column="id", index_type="BTREE")
        tables.create_table_scalar_index(table, btree)
        listing = models.ListTableIndicesRequest()
        end = time.monotonic() + 120
        while not tables.list_table_indices(table, listing).indexes and time.monotonic() < end:
            time.sleep(0.2)
        listed = tables.list_table_indices(table, listing).indexes[0]
        self.assertEqual(("id_idx", "BTREE", 2), (listed.index_name, listed.index_type, listed.num_indexed_rows))
        self.refused(409, 7, tables.create_table_index, table, btree, declared=False)
        stats = models.DescribeTableIndexStatsRequest()
        self.assertEqual(0, tables.describe_table_index_stats(table, "id_idx", stats).num_unindexed_rows)
        tables.drop_table_index(table, "id_idx")
        self.refused(404, 6, tables.drop_table_index, table, "id_idx")


class Views(Case):
    def test_are_made_and_refreshed(self):
        table = self.make(numbers(1, 2, 3))
        view = f"{table}_view"
        wanted = models.CreateMaterializedViewRequest(
            kind="query",
            source_query=f'SELECT id FROM "{table}" WHERE id > 1',
            output_schema=base64.b64encode(numbers(1).schema.serialize().to_pybytes()).decode(),
        )
        made = views.create_materialized_view(view, wanted)
        self.assertIsInstance(made, models.CreateMaterializedViewResponse)
        self.refused(409, 5, views.create_materialized_view, view, wanted)
        told = views.refresh_materialized_view(view, refresh_materialized_view_request=models.RefreshMaterializedViewRequest())
        self.assertTrue(told.job_id)
        end = time.monotonic() + 120
        while data.count_table_rows(view, models.CountTableRowsRequest()) != 2 and time.monotonic() < end:
            time.sleep(0.2)
        self.assertEqual(2, data.count_table_rows(view, models.CountTableRowsRequest()))
        self.refused(404, 4, views.refresh_materialized_view, f"{view}_absent")


class Versions(Case):
    def setUp(self):
        self.table = self.make(numbers(1, 2))
        data.insert_into_table(self.table, stream(numbers(3)))

    def test_are_held_by_tags(self):
        tables.create_table_tag(self.table, models.CreateTableTagRequest(tag="gold", version=1))
        again = models.CreateTableTagRequest(tag="gold", version=2)
        self.refused(409, 9, tables.create_table_tag, self.table, again)
        self.assertEqual(["gold"], list(tables.list_table_tags(self.table).tags))
        named = models.GetTableTagVersionRequest(tag="gold")
        self.assertEqual(1, tables.get_table_tag_version(self.table, named).version)
        tables.update_table_tag(self.table, models.UpdateTableTagRequest(tag="gold", version=2))
        self.assertEqual(2, tables.get_table_tag_version(self.table, named).version)
        tables.delete_table_tag(self.table, models.DeleteTableTagRequest(tag="gold"))
        self.refused(404, 8, tables.get_table_tag_version, self.table, named)

    def test_of_a_branch_are_its_own(self):
        tables.create_table_branch(self.table, models.CreateTableBranchRequest(name="dev", from_version=1))
        again = models.CreateTableBranchRequest(name="dev")
        self.refused(409, 23, tables.create_table_branch, self.table, again)
        told = tables.list_table_branches(self.table).branches["dev"]
        self.assertEqual((None, 1), (told.parent_branch, told.parent_version))
        data.insert_into_table(self.table, stream(numbers(9)), branch="dev")
        on_branch = models.CountTableRowsRequest(branch="dev", predicate="id = 9")
        self.assertEqual(1, data.count_table_rows(self.table, on_branch))
        self.assertEqual(0, self.count(self.table, "id = 9"))
        tables.delete_table_branch(self.table, models.DeleteTableBranchRequest(name="dev"))
        self.refused(404, 22, tables.delete_table_branch, self.table, models.DeleteTableBranchRequest(name="dev"))

    def test_are_listed_restored_and_deleted(self):
        tables.restore_table(self.table, models.RestoreTableRequest(version=1))
        self.assertEqual(2, self.count(self.table))
        page = tables.list_table_versions(self.table, limit=2, descending=True)
        self.assertEqual(([3, 2], "2"), ([each.version for each in page.versions], page.page_token))
        second = models.DescribeTableVersionRequest(version=2)
        self.assertGreater(tables.describe_table_version(self.table, second).version.timestamp_millis, 0)
        ready = models.CreateTableVersionRequest(version=2, manifest_path="_versions/ready")
        self.refused(409, 14, tables.create_table_version, self.table, ready)
        ranges = [models.VersionRange(start_version=2, end_version=3)]
        gone = tables.batch_delete_table_versions(self.table, models.BatchDeleteTableVersionsRequest(ranges=ranges))
        self.assertEqual(1, gone.deleted_count)
        self.refused(404, 11, tables.describe_table_version, self.table, second)


class Rows(Case):
    def test_come_back_as_the_source_has_them(self):
        table = self.make(SOURCE.slice(0, 2000))
        inserted = data.insert_into_table(table, stream(SOURCE.slice(2000)))
        self.assertEqual((SOURCE.num_rows - 2000, 2), (inserted.num_inserted_rows, inserted.version))
        self.assertEqual(SOURCE.to_pylist(), self.read(table).to_pylist())
        self.assertEqual(SOURCE.num_rows, self.count(table))
        self.refused(404, 4, data.insert_into_table, f"{namespace}$absent", stream(numbers(1)))
        self.refused(400, 20, data.insert_into_table, table, stream(numbers(1)))

    def test_are_found_by_filter_columns_and_page(self):
        table = self.make()
        alaska = [row for row in SOURCE.to_pylist() if row["state"] == "AK"]
        self.assertEqual(alaska, self.read(table, filter="state = 'AK'").to_pylist())
        self.assertEqual(len(alaska), self.count(table, "state = 'AK'"))
        columns = models.QueryTableRequestColumns(column_names=["iata", "city"])
        page = self.read(table, filter="state = 'AK'", columns=columns, offset=3, k=5)
        self.assertEqual([{"iata": row["iata"], "city": row["city"]} for row in alaska[3:8]], page.to_pylist())
        self.refused(404, 12, self.read, table, filter="no_such_column = 1")
        self.refused(400, 13, self.read, table, filter="state = = 1")
        self.refused(404, 11, self.read, table, version=99)
        self.refused(404, 4, self.count, f"{namespace}$absent")

    def test_change_where_the_predicate_says(self):
        table = self.make()
        alaska = sum(row["state"] == "AK" for row in SOURCE.to_pylist())
        changed = data.update_table(table, models.UpdateTableRequest(predicate="state = 'AK'", updates=[["country", "'it''s'"]]))
        self.assertEqual((alaska, 2), (changed.updated_rows, changed.version))
        wanted = [{**row, "country": "it's"} if row["state"] == "AK" else row for row in SOURCE.to_pylist()]
        self.assertEqual(sorted(wanted, key=lambda row: row["iata"]), ordered(self.read(table), "iata"))
        self.assertEqual(3, data.delete_from_table(table, models.DeleteFromTableRequest(predicate="state = 'AK'")).version)
        self.assertEqual(SOURCE.num_rows - alaska, self.count(table))
        self.refused(404, 12, data.delete_from_table, table, models.DeleteFromTableRequest(predicate="nope = 1"))
        unknown = models.UpdateTableRequest(updates=[["nope", "1"]])
        self.refused(404, 12, data.update_table, table, unknown)

    def test_merge_into_those_that_are_there(self):
        table = self.make(numbers(1, 2, 3).append_column("n", [[10, 20, 30]]))
        source = numbers(3, 4, 5).append_column("n", [[33, 44, 55]])
        merged = data.merge_insert_into_table(
            table, ["id"], stream(source), when_matched_update_all=True, when_not_matched_insert_all=True
        )
        self.assertEqual((1, 2, 0), (merged.num_updated_rows, merged.num_inserted_rows, merged.num_deleted_rows or 0))
        found = {row["id"]: row["n"] for row in self.read(table).to_pylist()}
        self.assertEqual({1: 10, 2: 20, 3: 33, 4: 44, 5: 55}, found)
        options = {"when_matched_update_all": True}
        self.refused(404, 12, data.merge_insert_into_table, table, ["nope"], stream(source), **options)

    def test_a_plan_is_explained_in_words(self):
        query = models.QueryTableRequest(filter="state = 'AK'", **EVERYTHING)
        plan = data.explain_table_query_plan(self.make(), models.ExplainTableQueryPlanRequest(query=query, verbose=True))
        self.assertIn("state", plan)

    def test_a_plan_is_analysed_in_words(self):
        request = models.AnalyzeTableQueryPlanRequest(filter="state = 'AK'", **EVERYTHING)
        self.assertIn("state", data.analyze_table_query_plan(self.make(), request))


if __name__ == "__main__":
    unittest.main()
