import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { connect, count, newWarehouse, query, removeWarehouse } from "./catalog.mjs";
import { movies } from "./datasets.mjs";

const source = movies();
const byRow = (rows) => rows.map((row) => ({ ...row })).sort((a, b) => a.row - b.row);

let made;
let db;
let top;

before(async () => {
  assert.equal(source.rows.length, 3201, "the source file is the known one");
  made = await newWarehouse();
  top = made.namespace;
  db = await connect();
});

after(async () => {
  db?.close();
});

test("namespaces nest, and are listed where they were made", async () => {
  await db.createNamespace([top, "films"], { properties: { owner: "ops" } });
  await db.createNamespace([top, "films", "by decade"]);
  assert.deepEqual((await db.listNamespaces([top])).namespaces, ["films"]);
  assert.deepEqual((await db.listNamespaces([top, "films"])).namespaces, ["by decade"]);
  assert.equal((await db.describeNamespace([top, "films"])).properties.owner, "ops");
  await assert.rejects(db.createNamespace([top, "films"]), /exist/i);
  await assert.rejects(db.createNamespace([top, "absent", "below"]), /not found/i);
});

test("a table in a nested namespace keeps nulls, large integers and names with spaces", async () => {
  const namespace = [top, "films", "by decade"];
  const table = await db.createTable("all movies", source.rows, namespace, { schema: source.schema });
  const wanted = byRow(source.rows);
  assert.deepEqual(byRow((await table.query().toArray()).map((row) => row.toJSON())), wanted);
  assert.deepEqual(byRow(await query(namespace, "all movies", { k: 10000, vector: { single_vector: [] } })), wanted);
  assert.equal(await count(namespace, "all movies"), wanted.length);
  assert.deepEqual(await db.tableNames(namespace), ["all movies"]);
  assert.deepEqual(await db.tableNames([top, "films"]), []);
});

test("nulls count as nulls", async () => {
  const namespace = [top, "films", "by decade"];
  for (const column of ["Director", "US DVD Sales"]) {
    const empty = source.rows.filter((row) => row[column] === null).length;
    assert.ok(empty > 0);
    assert.equal(await count(namespace, "all movies", `\`${column}\` IS NULL`), empty);
  }
});

test("many movies come back by a filter over several columns", async () => {
  const namespace = [top, "films", "by decade"];
  const table = await db.openTable("all movies", namespace);
  const wanted = source.rows.filter((row) => row["IMDB Rating"] >= 8 && row["Major Genre"] === "Drama");
  assert.ok(wanted.length > 10);
  const filter = "`IMDB Rating` >= 8 AND `Major Genre` = 'Drama'";
  assert.deepEqual(byRow((await table.query().where(filter).toArray()).map((row) => row.toJSON())), wanted);
  assert.deepEqual(byRow(await query(namespace, "all movies", { k: 10000, vector: { single_vector: [] }, filter })), wanted);
});

test("a namespace with something inside is not dropped, and an emptied one is", async () => {
  const namespace = [top, "films", "by decade"];
  await assert.rejects(db.dropNamespace(namespace), /not empty|inside|contains/i);
  await assert.rejects(db.dropNamespace([top, "films"]), /not empty|inside|contains/i);
  await db.dropTable("all movies", namespace);
  await db.dropNamespace(namespace);
  await db.dropNamespace([top, "films"]);
  assert.deepEqual((await db.listNamespaces([top])).namespaces, []);
  await removeWarehouse(made);
});
