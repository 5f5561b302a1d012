"""One root, two kinds of writers: the server, and the directory catalogs of pylance and LanceDB that know nothing of it."""

import os
import secrets
import threading
import unittest

import lance
import lance_namespace as spec
import lancedb
from lance.namespace import DirectoryNamespace
from lance_namespace import errors

import catalog
from data import numbers, stream

MODES = {
    "by its manifest alone": {"manifest_enabled": "true", "dir_listing_enabled": "false"},
    "with its defaults": {},
}


def directory(root, storage, **settings):
    """The library's own catalog over a root."""
    return DirectoryNamespace(root=root, **{f"storage.{key}": value for key, value in storage.items()}, **settings)


def create(namespace, table_id, *ids, **options):
    namespace.create_table(spec.CreateTableRequest(id=list(table_id), **options), stream(numbers(*ids)))


def contents(namespace, path):
    """All that a catalog tells of a namespace and of what is below it: the same for the server and for the library."""
    found = {}
    for name in namespace.list_namespaces(spec.ListNamespacesRequest(id=path)).namespaces:
        below = [*path, name]
        told = namespace.describe_namespace(spec.DescribeNamespaceRequest(id=below))
        found[name] = (told.properties or {}, contents(namespace, below))
    for name in namespace.list_tables(spec.ListTablesRequest(id=path)).tables:
        told = namespace.describe_table(spec.DescribeTableRequest(id=[*path, name]))
        found[name] = (told.properties or {}, rows(told))
    return found


def rows(told):
    """The rows of a described table, read by location; None while it is only declared."""
    try:
        dataset = lance.dataset(told.location, storage_options=told.storage_options or STORAGE)
    except ValueError as e:
        if "not found" not in str(e):
            raise
        return None
    return sorted(dataset.to_table().column("id").to_pylist())


def setUpModule():
    global lake, server, ROOT, STORAGE
    lake = catalog.Warehouse().bind()
    server = lance.namespace.RestNamespace(uri=catalog.URL)
    ROOT, STORAGE = lake.place()


class Case(unittest.TestCase):
    def setUp(self):
        self.path = [lake.namespace, self._testMethodName]

    def assert_all_see(self, wanted, *namespaces):
        for namespace in namespaces:
            self.assertEqual(wanted, contents(namespace, self.path))


class OurRoot(Case):
    def test_opens_in_the_library_with_all_that_is_in_it(self):
        nested = [*self.path, "in it", "deep"]
        server.create_namespace(spec.CreateNamespaceRequest(id=self.path, properties={"level": "1"}))
        server.create_namespace(spec.CreateNamespaceRequest(id=nested[:-1]))
        server.create_namespace(spec.CreateNamespaceRequest(id=nested, properties={"owner": "J\u00fcrgen", "quote": "it's"}))
        create(server, [*self.path, "made"], 1, 2, 3, properties={"a": "b"})
        create(server, [*nested, "a table / with a slash"], 4)
        server.declare_table(spec.DeclareTableRequest(id=[*nested, "declared"], properties={"c": "d"}))
        create(server, [*self.path, "dropped"], 5)
        server.drop_table(spec.DropTableRequest(id=[*self.path, "dropped"]))
        create(server, [*self.path, "again"], 6)
        server.drop_table(spec.DropTableRequest(id=[*self.path, "again"]))
        create(server, [*self.path, "again"], 7)
        server.insert_into_table(spec.InsertIntoTableRequest(id=[*self.path, "again"]), stream(numbers(8)))
        inside = {"a table / with a slash": ({}, [4]), "declared": ({"c": "d"}, None)}
        wanted = {
            "in it": ({}, {"deep": ({"owner": "J\u00fcrgen", "quote": "it's"}, inside)}),
            "made": ({"a": "b"}, [1, 2, 3]),
            "again": ({}, [7, 8]),
        }
        self.assert_all_see(wanted, server)
        for mode, settings in MODES.items():
            with self.subTest(mode):
                self.assert_all_see(wanted, directory(ROOT, STORAGE, **settings))
        db = lancedb.connect_namespace("dir", {"root": ROOT, **{f"storage.{key}": value for key, value in STORAGE.items()}},
                                       storage_options=STORAGE)
        self.assertEqual(["again", "made"], sorted(db.list_tables(self.path).tables))
        table = db.open_table("again", namespace_path=self.path, storage_options=STORAGE)
        self.assertEqual([7, 8], sorted(table.to_arrow().column("id").to_pylist()))


@unittest.skipUnless("FOREIGN_ROOTS" in os.environ, "FOREIGN_ROOTS names no place for roots that others make")
class TheirRoot(unittest.TestCase):
    def test_opens_in_the_server_with_all_that_is_in_it(self):
        for mode, settings in MODES.items():
            with self.subTest(mode):
                root = f"{os.environ['FOREIGN_ROOTS']}/theirs-{secrets.token_hex(5)}"
                theirs = directory(root, STORAGE, **settings)
                top = f"theirs-{secrets.token_hex(5)}"
                theirs.create_namespace(spec.CreateNamespaceRequest(id=[top], properties={"owner": "ann"}))
                theirs.create_namespace(spec.CreateNamespaceRequest(id=[top, "deep"], properties={"level": "2"}))
                create(theirs, [top, "made"], 1, 2, properties={"a": "b"})
                create(theirs, [top, "deep", "with a space"], 3)
                theirs.declare_table(spec.DeclareTableRequest(id=[top, "declared"], properties={"c": "d"}))
                create(theirs, [top, "dropped"], 5)
                theirs.drop_table(spec.DropTableRequest(id=[top, "dropped"]))
                create(theirs, ["at-the-root"], 6)
                db = lancedb.connect_namespace(
                    "dir", {"root": root, **{f"storage.{key}": value for key, value in STORAGE.items()}}, storage_options=STORAGE
                )
                db.create_table("by-lancedb", numbers(7, 8), namespace_path=[top], storage_options=STORAGE)
                wanted = {
                    "deep": ({"level": "2"}, {"with a space": ({}, [3])}),
                    "made": ({"a": "b"}, [1, 2]),
                    "declared": ({"c": "d"}, None),
                    "by-lancedb": ({}, [7, 8]),
                }
                catalog.Warehouse(root).bind(top, adopt=True)
                self.assertEqual(wanted, contents(server, [top]))
                self.assertEqual(wanted, contents(theirs, [top]))
                told = server.describe_namespace(spec.DescribeNamespaceRequest(id=[top]))
                self.assertEqual({"owner": "ann"}, told.properties)
                server.insert_into_table(spec.InsertIntoTableRequest(id=[top, "made"]), stream(numbers(9)))
                server.insert_into_table(spec.InsertIntoTableRequest(id=[top, "declared"]), stream(numbers(10)))
                wanted |= {"made": ({"a": "b"}, [1, 2, 9]), "declared": ({"c": "d"}, [10])}
                self.assertEqual(wanted, contents(theirs, [top]))
                # A table without a namespace stays what it was, out of the warehouse's names and for its writer to read.
                self.assertIn("at-the-root", theirs.list_tables(spec.ListTablesRequest(id=[])).tables)


class BothWrite(Case):
    def test_in_turn_and_nothing_is_lost(self):
        for mode, settings in MODES.items():
            with self.subTest(mode):
                self.path = [lake.namespace, f"in-turn-{secrets.token_hex(5)}"]
                theirs = directory(ROOT, STORAGE, **settings)
                server.create_namespace(spec.CreateNamespaceRequest(id=self.path))
                wanted = {}
                for turn in range(4):
                    writer = (server, theirs)[turn % 2]
                    other = (theirs, server)[turn % 2]
                    space, table, declared = f"space{turn}", f"table{turn}", f"declared{turn}"
                    writer.create_namespace(spec.CreateNamespaceRequest(id=[*self.path, space], properties={"turn": str(turn)}))
                    create(writer, [*self.path, table], turn, properties={"turn": str(turn)})
                    writer.declare_table(spec.DeclareTableRequest(id=[*self.path, declared], properties={"d": str(turn)}))
                    other.insert_into_table(spec.InsertIntoTableRequest(id=[*self.path, table]), stream(numbers(100 + turn)))
                    other.insert_into_table(spec.InsertIntoTableRequest(id=[*self.path, declared]), stream(numbers(200 + turn)))
                    create(other, [*self.path, space, "inside"], 300)
                    wanted[space] = ({"turn": str(turn)}, {"inside": ({}, [300])})
                    wanted[table] = ({"turn": str(turn)}, [turn, 100 + turn])
                    wanted[declared] = ({"d": str(turn)}, [200 + turn])
                    if turn > 1:
                        other.drop_table(spec.DropTableRequest(id=[*self.path, f"table{turn - 2}"]))
                        writer.drop_table(spec.DropTableRequest(id=[*self.path, f"space{turn - 2}", "inside"]))
                        other.drop_namespace(spec.DropNamespaceRequest(id=[*self.path, f"space{turn - 2}"]))
                        del wanted[f"table{turn - 2}"], wanted[f"space{turn - 2}"]
                    with self.assertRaises((errors.TableAlreadyExistsError, errors.InternalError)):
                        create(other, [*self.path, table], 999)
                    self.assert_all_see(wanted, server, theirs, directory(ROOT, STORAGE, **settings))

    def test_at_the_same_time_and_nothing_is_lost(self):
        each = 6
        server.create_namespace(spec.CreateNamespaceRequest(id=self.path))
        shared = [*self.path, "shared"]
        create(server, shared, -1)
        libraries = [directory(ROOT, STORAGE, **settings) for settings in MODES.values()]
        writers = [server, server, *libraries]
        start, failures, tally = threading.Barrier(len(writers)), [], {"shared": ({}, [-1])}

        def write(number, namespace):
            try:
                start.wait()
                for step in range(each):
                    name = f"table-{number}-{step}"
                    create(namespace, [*self.path, name], number, properties={"writer": str(number)})
                    namespace.create_namespace(spec.CreateNamespaceRequest(id=[*self.path, f"space-{number}-{step}"]))
                    namespace.insert_into_table(spec.InsertIntoTableRequest(id=shared), stream(numbers(number * each + step)))
                    if step % 2:
                        namespace.drop_table(spec.DropTableRequest(id=[*self.path, name]))
            except Exception as e:  # noqa: BLE001 - reported by the test, which runs in another thread
                failures.append(f"writer {number}: {e!r}")

        threads = [threading.Thread(target=write, args=pair) for pair in enumerate(writers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([], failures)
        for number in range(len(writers)):
            for step in range(each):
                tally["shared"][1].append(number * each + step)
                tally[f"space-{number}-{step}"] = ({}, {})
                if not step % 2:
                    tally[f"table-{number}-{step}"] = ({"writer": str(number)}, [number])
        self.assert_all_see(tally, server, *libraries, directory(ROOT, STORAGE))


if __name__ == "__main__":
    unittest.main()
