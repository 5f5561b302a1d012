"""The catalog under test as any HTTP client sees it, and what it serves."""

import json
import os
import re
import secrets
import urllib.parse
import urllib.request
from dataclasses import dataclass
from pathlib import Path

URL = os.environ.get("CATALOG_URL", "http://127.0.0.1:2333")
PROJECT = Path(__file__).parents[2]
VECTORS = PROJECT / "clients" / "vectors"
REGISTER = json.loads((PROJECT / "lance_docs" / "operations.json").read_text())["operations"]


@dataclass(frozen=True)
class Operation:
    name: str
    served: bool
    method: str
    path: re.Pattern


def _operations():
    """The operations of the specification, from the register that the server's own tests hold it to."""
    found = {}
    for entry in REGISTER:
        parts = (re.escape(part) for part in re.split(r"\{\w+}", entry["path"]))
        found[entry["name"]] = Operation(entry["name"], entry["served"], entry["method"], re.compile("[^/]+".join(parts)))
    return found


OPERATIONS = _operations()


def send(method, path, body=None):
    """The body of a successful answer; anything else is an error that carries the whole answer."""
    request = urllib.request.Request(f"{URL}/v1/{path}", method=method)
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(request, timeout=120) as response:
            return response.read()
    except urllib.error.HTTPError as e:
        raise AssertionError(f"{method} /v1/{path} answered {e.code}: {e.read().decode()}") from e


def call(method, path, body=None):
    return json.loads(send(method, path, body))


def table_path(table_id, operation):
    return f"table/{'$'.join(urllib.parse.quote(part, safe='') for part in table_id)}/{operation}"


def count(table_id):
    return call("POST", table_path(table_id, "count_rows"), {})


def describe(table_id):
    return call("POST", table_path(table_id, "describe"), {})


class Warehouse:
    """A project, a warehouse and a top-level namespace of their own, so that runs never meet."""

    def __init__(self, root=None):
        suffix = secrets.token_hex(5)
        # A bucket belongs to one project, so all roots of others' making do too.
        self.project = f"project-{suffix}" if root is None else "foreign-roots"
        self.name, self.namespace = f"lake-{suffix}", f"space-{suffix}"
        call("POST", "projects", {"id": self.project})
        place = {} if root is None else {"root": root}
        call("POST", "warehouses", {"id": self.name, "project": self.project, **place})

    def bind(self, namespace=None, adopt=False):
        call("POST", f"warehouses/{self.name}/namespaces", {"namespace": namespace or self.namespace, "adopt_existing": adopt})
        return self

    def place(self):
        """Where its tables live, and what a library needs to reach the place: both as the server hands them out."""
        probe = (self.namespace, "place")
        call("POST", table_path(probe, "declare"), {})
        told = describe(probe)
        call("POST", table_path(probe, "drop"))
        return told["location"].rsplit("/", 1)[0], told.get("storage_options") or {}
