"""Four processes append to one table: two through the server, two that write to storage themselves."""

import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

import lance

import catalog
from data import numbers, rows, stream

EACH = 15


class FourProcesses(unittest.TestCase):
    def test_lose_no_row(self):
        lake = catalog.Warehouse().bind()
        table = (lake.namespace, "appended")
        url = f"{catalog.URL}/v1/{catalog.table_path(table, 'create')}"
        with catalog.urllib.request.urlopen(catalog.urllib.request.Request(url, stream(numbers(-1)), method="POST")) as answer:
            self.assertEqual(200, answer.status)
        told = catalog.describe(table)
        storage = told.get("storage_options") or {}
        environment = {**os.environ, "STORAGE_OPTIONS": json.dumps(storage)}
        ways = [("server", "$".join(table)), ("library", told["location"])] * 2
        processes = [
            subprocess.Popen(
                [sys.executable, str(Path(__file__).with_name("append.py")), way, place, str(number * EACH), str(EACH)],
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            for number, (way, place) in enumerate(ways)
        ]
        for process in processes:
            said, _ = process.communicate(timeout=300)
            self.assertEqual(0, process.returncode, said[-2000:])
        wanted = list(range(-1, len(ways) * EACH))
        self.assertEqual(len(wanted), catalog.count(table))
        answer = catalog.send("POST", catalog.table_path(table, "query"), {"k": 10000, "vector": {"single_vector": []}})
        self.assertEqual(wanted, sorted(rows(answer).column("id").to_pylist()))
        dataset = lance.dataset(told["location"], storage_options=storage)
        self.assertEqual(wanted, sorted(dataset.to_table().column("id").to_pylist()))
        # One commit for each row, one version for each commit.
        self.assertEqual(len(wanted), dataset.version)


if __name__ == "__main__":
    unittest.main()
