"""Real text vectors: movies found by the sense of a question, each answer compared with one computed here by brute force."""

import unittest

import lancedb
import numpy as np
import pyarrow as pa

import catalog
from data import rows, stream

NEAREST = 10


def read(name):
    with pa.memory_map(str(catalog.VECTORS / name)) as file:
        return pa.ipc.open_file(file).read_all()


def matrix(table):
    flat = table.column("vector").combine_chunks().flatten().to_numpy(zero_copy_only=False)
    return flat.astype(np.float32).reshape(table.num_rows, -1)


def with_vectors(table, dtype):
    """The table with its vectors in another precision."""
    found = matrix(table)
    vectors = pa.FixedSizeListArray.from_arrays(pa.array(found.ravel(), dtype), found.shape[1])
    return table.set_column(table.schema.get_field_index("vector"), "vector", vectors)


def setUpModule():
    global lake, db, movies, queries, everything, asked
    lake = catalog.Warehouse().bind()
    db = lancedb.connect_namespace("rest", {"uri": catalog.URL})
    movies, queries = read("movies.arrow"), read("queries.arrow")
    everything, asked = matrix(movies), matrix(queries)


class TextVectors(unittest.TestCase):
    def make(self, dtype):
        """Sends the rows through the server."""
        self.id = (lake.namespace, self._testMethodName)
        path = catalog.table_path(self.id, "create")
        request = catalog.urllib.request.Request(f"{catalog.URL}/v1/{path}", stream(with_vectors(movies, dtype)), method="POST")
        with catalog.urllib.request.urlopen(request) as answer:
            self.assertEqual(200, answer.status)

    def ask(self, vector, metric, **more):
        body = {"k": NEAREST, "vector": {"single_vector": vector.tolist()}, "vector_column": "vector", "distance_type": metric}
        return rows(catalog.send("POST", catalog.table_path(self.id, "query"), {**body, **more})).to_pylist()

    def distances(self, vector, metric):
        if metric == "l2":
            return ((everything - vector) ** 2).sum(axis=1)
        return 1 - everything @ vector / (np.linalg.norm(everything, axis=1) * np.linalg.norm(vector))

    def assert_nearest(self, found, vector, metric, among=None):
        """The rows of least distance, in order; rows that are equally far may stand in for each other."""
        distances = self.distances(vector, metric)
        at = {row: place for place, row in enumerate(movies.column("row").to_pylist())}
        wanted = np.sort(distances if among is None else distances[among])[:NEAREST]
        np.testing.assert_allclose([distances[at[row["row"]]] for row in found], wanted, atol=2e-3)
        np.testing.assert_allclose([row["_distance"] for row in found], wanted, atol=2e-3)
        self.assertEqual(NEAREST, len({row["row"] for row in found}))

    def test_the_server_finds_what_brute_force_finds(self):
        for dtype in (pa.float32(), pa.float16()):
            self.make(dtype)
            for metric in ("l2", "cosine"):
                for vector in asked:
                    self.assert_nearest(self.ask(vector, metric), vector, metric)
            catalog.call("POST", catalog.table_path(self.id, "drop"))

    def test_a_question_finds_the_movie_that_anybody_would_name(self):
        self.make(pa.float32())
        for question, vector in zip(queries.to_pylist(), asked):
            titles = [row["title"] for row in self.ask(vector, "cosine")[:5]]
            self.assertIn(question["expected"], titles, question["text"])

    def test_a_filter_before_the_search_leaves_the_nearest_of_the_rest(self):
        self.make(pa.float32())
        comedies = np.array(["Comedy" in text for text in movies.column("text").to_pylist()])
        for vector in asked:
            found = self.ask(vector, "l2", filter="text LIKE '%Comedy%'", prefilter=True)
            self.assertTrue(all("Comedy" in row["text"] for row in found))
            self.assert_nearest(found, vector, "l2", comedies)

    def test_a_table_that_the_client_wrote_answers_alike_here_and_there(self):
        self.id = (lake.namespace, "by-the-client")
        table = db.create_table(self.id[1], with_vectors(movies, pa.float32()), namespace_path=[lake.namespace])
        for vector in asked:
            here = table.search(vector).distance_type("cosine").limit(NEAREST).to_list()
            self.assert_nearest(here, vector, "cosine")
            self.assert_nearest(self.ask(vector, "cosine"), vector, "cosine")


if __name__ == "__main__":
    unittest.main()
