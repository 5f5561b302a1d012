"""Appends numbers to a table one commit at a time: append.py server TABLE_ID|library LOCATION FIRST COUNT.

The server takes them over HTTP; the library writes to storage, with the options in STORAGE_OPTIONS as JSON.
"""

import json
import os
import sys
import urllib.request

import catalog
from data import numbers, stream


def through_the_server(table_id, number):
    url = f"{catalog.URL}/v1/{catalog.table_path(table_id.split('$'), 'insert')}"
    request = urllib.request.Request(url, stream(numbers(number)), method="POST")
    with urllib.request.urlopen(request, timeout=120) as answer:
        told = json.load(answer)
        assert told["num_inserted_rows"] == 1, told


def by_the_library(location, number):
    import lance

    lance.write_dataset(numbers(number), location, mode="append", storage_options=json.loads(os.environ["STORAGE_OPTIONS"]))


def main(way, table, first, count):
    append = {"server": through_the_server, "library": by_the_library}[way]
    for number in range(int(first), int(first) + int(count)):
        append(table, number)


if __name__ == "__main__":
    main(*sys.argv[1:])
