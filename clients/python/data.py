"""Tables to test with: those of vega-datasets, read from its source files, and small ones."""

import csv
import json
import os
from pathlib import Path

import pyarrow as pa

FOLDER = Path(os.environ.get("VEGA_DATASETS", Path(__file__).parents[1] / "node/node_modules/vega-datasets/data"))

AIRPORTS = pa.schema(
    [(name, pa.string()) for name in ("iata", "name", "city", "state", "country")]
    + [(name, pa.float64()) for name in ("latitude", "longitude")]
)
MOVIES = pa.schema(
    [
        ("row", pa.int64()),
        ("Title", pa.string()),
        ("US Gross", pa.int64()),
        ("Major Genre", pa.string()),
        ("Director", pa.string()),
        ("IMDB Rating", pa.float64()),
    ]
)


def airports():
    """3,376 airports of the United States; iata is unique."""
    with open(FOLDER / "airports.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["latitude"], row["longitude"] = float(row["latitude"]), float(row["longitude"])
    return pa.Table.from_pylist(rows, schema=AIRPORTS)


def movies():
    """3,201 movies with many nulls and column names with spaces; row is the position in the file."""
    records = json.loads((FOLDER / "movies.json").read_text(encoding="utf-8"))
    for row, record in enumerate(records):
        record["row"] = row
        for column in ("Title", "Major Genre", "Director"):
            record[column] = None if record[column] is None else str(record[column])
    return pa.Table.from_pylist(records, schema=MOVIES)


def numbers(*ids):
    """One column of 64-bit integers."""
    return pa.table({"id": pa.array(ids, pa.int64())})


def stream(table):
    """A table as the bytes of an Arrow stream, in several batches."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=1000)
    return sink.getvalue().to_pybytes()


def rows(answer):
    """The rows of an Arrow file that a server has answered."""
    return pa.ipc.open_file(pa.BufferReader(bytes(answer))).read_all()


def ordered(table, column):
    """The rows as plain values in an order of their own: an update moves rows."""
    return sorted(table.to_pylist(), key=lambda row: row[column])
