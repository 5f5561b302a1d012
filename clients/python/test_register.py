"""The register and the published API against the generated client: its list of operations is not of our making."""

import inspect
import json
import re
import unittest
import urllib.request

import lance_namespace_urllib3_client as client
from lance_namespace_urllib3_client import api

import catalog


def known_to_the_client():
    """Method, path and statuses of success of each operation, by its name, as the client's code has them."""
    found = {}
    for owner in vars(api).values():
        if not inspect.isclass(owner):
            continue
        for name, function in inspect.getmembers(owner, inspect.isfunction):
            serialize = getattr(owner, f"_{name}_serialize", None)
            if serialize is None:
                continue
            request = inspect.getsource(serialize)
            method, path = re.search(r"method='(\w+)'", request)[1], re.search(r"resource_path='([^']+)'", request)[1]
            statuses = set(map(int, re.findall(r"'(2\d\d)': ", inspect.getsource(function))))
            found["".join(word.capitalize() for word in name.split("_"))] = (method, path, statuses)
    return found


KNOWN = known_to_the_client()


class Register(unittest.TestCase):
    def test_has_the_operations_of_the_client_and_no_other(self):
        ours = {entry["name"]: (entry["method"], entry["path"]) for entry in catalog.REGISTER}
        self.assertEqual(54, len(ours))
        self.assertEqual({name: known[:2] for name, known in KNOWN.items()}, ours)

    def test_names_the_status_of_success_that_the_client_takes(self):
        for entry in catalog.REGISTER:
            with self.subTest(entry["name"]):
                self.assertIn(entry["status"], KNOWN[entry["name"]][2])


class PublishedApi(unittest.TestCase):
    def test_has_the_operations_that_are_served_as_the_client_knows_them(self):
        with urllib.request.urlopen(f"{catalog.URL}/v3/api-docs/lance-namespace", timeout=60) as response:
            paths = json.load(response)["paths"]
        published = {}
        for path, operations in paths.items():
            for method, told in operations.items():
                statuses = {int(status) for status in told["responses"] if status.startswith("2")}
                published[told["operationId"]] = (method.upper(), path, statuses)
        served = {name for name, operation in catalog.OPERATIONS.items() if operation.served}
        self.assertEqual(served, set(published))
        for name, (method, path, statuses) in published.items():
            with self.subTest(name):
                self.assertEqual(KNOWN[name][:2], (method, path))
                self.assertLessEqual(statuses, KNOWN[name][2])


if __name__ == "__main__":
    unittest.main()
