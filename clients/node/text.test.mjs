// Real text vectors: the movies nearest to a question, compared with those a brute-force search finds.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Field, FixedSizeList, Float32, Int32, Schema, Utf8, tableFromIPC } from "apache-arrow";
import { connect, newWarehouse, query } from "./catalog.mjs";

const NEAREST = 10;

/** The rows of a file of ../vectors, their vectors as plain numbers. */
function read(name) {
  const table = tableFromIPC(readFileSync(new URL(`../vectors/${name}`, import.meta.url)));
  return table.toArray().map((row) => ({ ...row.toJSON(), vector: Array.from(row.vector, Number) }));
}

const movies = read("movies.arrow");
const questions = read("queries.arrow");
const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);
const distance = (a, b) => 1 - dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));

let namespace;
let db;
let table;

before(async () => {
  assert.equal(movies.length, 1688, "the file is the known one");
  assert.ok(Math.abs(dot(movies[0].vector, movies[0].vector) - 1) < 0.01, "the vectors are read as numbers of length one");
  namespace = [(await newWarehouse()).namespace];
  db = await connect();
  const vector = new FixedSizeList(384, new Field("item", new Float32(), true));
  const schema = new Schema([
    new Field("row", new Int32(), true),
    new Field("title", new Utf8(), true),
    new Field("text", new Utf8(), true),
    new Field("vector", vector, true),
  ]);
  table = await db.createTable("movies", movies, namespace, { schema });
});

after(() => db?.close());

function assertNearest(found, question) {
  const wanted = movies.map((movie) => distance(movie.vector, question.vector)).sort((a, b) => a - b);
  const byRow = new Map(movies.map((movie) => [movie.row, movie]));
  assert.equal(new Set(found.map((row) => row.row)).size, NEAREST);
  found.forEach((row, i) => {
    assert.ok(Math.abs(row._distance - wanted[i]) < 2e-3, `${question.text}: place ${i}`);
    assert.ok(Math.abs(distance(byRow.get(row.row).vector, question.vector) - wanted[i]) < 2e-3);
  });
  assert.ok(found.slice(0, 5).some((row) => row.title === question.expected), `${question.text} finds ${question.expected}`);
}

test("the client finds what brute force finds, and the movie that anybody would name", async () => {
  for (const question of questions) {
    const found = await table.vectorSearch(question.vector).distanceType("cosine").limit(NEAREST).toArray();
    assertNearest(found, question);
  }
});

test("the server finds the same", async () => {
  for (const question of questions) {
    const request = { k: NEAREST, vector: { single_vector: question.vector }, vector_column: "vector", distance_type: "cosine" };
    assertNearest(await query(namespace, "movies", request), question);
  }
});
