// The tables of vega-datasets, read from the source files with the types their columns have.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Field, Float64, Int32, Int64, Schema, Utf8 } from "apache-arrow";

// The package exports only its script, whose folder lies beside the data.
const folder = join(dirname(createRequire(import.meta.url).resolve("vega-datasets")), "..", "data");

/** Splits RFC 4180 text into records of fields. */
function parseCsv(text) {
  const records = [];
  let record = [];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    record.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ",") continue;
    if (record.length > 1 || record[0] !== "") records.push(record);
    record = [];
    if (end === "") break;
  }
  return records;
}

const text = (value) => (value === null || value === undefined ? null : String(value));
const integer = (value) => (value === null ? null : BigInt(value));
const number = (value) => (value === null ? null : Number(value));

/** Names, Arrow types, and how a source value becomes one of the type. */
const AIRPORTS = [
  ["iata", new Utf8(), text],
  ["name", new Utf8(), text],
  ["city", new Utf8(), text],
  ["state", new Utf8(), text],
  ["country", new Utf8(), text],
  ["latitude", new Float64(), number],
  ["longitude", new Float64(), number],
];

const MOVIES = [
  ["row", new Int32(), number],
  ["Title", new Utf8(), text],
  ["US Gross", new Int64(), integer],
  ["Worldwide Gross", new Int64(), integer],
  ["US DVD Sales", new Int64(), integer],
  ["Production Budget", new Int64(), integer],
  ["Release Date", new Utf8(), text],
  ["MPAA Rating", new Utf8(), text],
  ["Running Time min", new Int32(), number],
  ["Distributor", new Utf8(), text],
  ["Source", new Utf8(), text],
  ["Major Genre", new Utf8(), text],
  ["Creative Type", new Utf8(), text],
  ["Director", new Utf8(), text],
  ["Rotten Tomatoes Rating", new Int32(), number],
  ["IMDB Rating", new Float64(), number],
  ["IMDB Votes", new Int32(), number],
];

function dataset(columns, source) {
  return {
    schema: new Schema(columns.map(([name, type]) => new Field(name, type, true))),
    rows: source.map((record) => Object.fromEntries(columns.map(([name, , convert]) => [name, convert(record[name])]))),
  };
}

/** 3,376 airports of the United States; iata is unique. */
export function airports() {
  const [header, ...records] = parseCsv(readFileSync(join(folder, "airports.csv"), "utf8"));
  return dataset(AIRPORTS, records.map((fields) => Object.fromEntries(header.map((name, i) => [name, fields[i]]))));
}

/** 3,201 movies with many nulls and column names with spaces; row is the position in the file. */
export function movies() {
  const records = JSON.parse(readFileSync(join(folder, "movies.json"), "utf8"));
  return dataset(MOVIES, records.map((record, row) => ({ row, ...record })));
}
