import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { connect, count, newWarehouse, query, removeWarehouse } from "./catalog.mjs";
import { airports } from "./datasets.mjs";

const source = airports();
const byIata = (rows) => rows.map((row) => ({ ...row })).sort((a, b) => (a.iata < b.iata ? -1 : a.iata > b.iata ? 1 : 0));
const expected = byIata(source.rows);
const ALASKA = expected.filter((row) => row.state === "AK");

let made;
let db;
let namespace;

before(async () => {
  assert.equal(source.rows.length, 3376, "the source file is the known one");
  made = await newWarehouse();
  namespace = [made.namespace];
  db = await connect();
});

after(async () => {
  db?.close();
});

const create = (name) => db.createTable(name, source.rows, namespace, { schema: source.schema });
const read = async (table) => byIata((await table.query().toArray()).map((row) => row.toJSON()));

test("a created table reads back row by row as the file has it", async () => {
  await create("airports");
  const table = await db.openTable("airports", namespace);
  assert.deepEqual(await read(table), expected);
  assert.equal(await table.countRows(), expected.length);
  assert.deepEqual(
    (await table.schema()).fields.map((field) => [field.name, String(field.type)]),
    source.schema.fields.map((field) => [field.name, String(field.type)]),
  );
});

test("the server counts and returns what the client wrote", async () => {
  await create("served");
  assert.equal(await count(namespace, "served"), expected.length);
  assert.equal(await count(namespace, "served", "state = 'AK'"), ALASKA.length);
  const request = { k: 10000, vector: { single_vector: [] } };
  assert.deepEqual(byIata(await query(namespace, "served", request)), expected);
  assert.deepEqual(byIata(await query(namespace, "served", { ...request, filter: "state = 'AK'" })), ALASKA);
});

test("a filter finds the rows of the file", async () => {
  const table = await create("filtered");
  const rows = (await table.query().where("state = 'AK' AND latitude > 65").toArray()).map((row) => row.toJSON());
  assert.deepEqual(byIata(rows), ALASKA.filter((row) => row.latitude > 65));
  assert.equal(await table.countRows("state = 'AK'"), ALASKA.length);
  const some = await table.query().where("state = 'AK'").select(["iata", "name"]).limit(7).toArray();
  assert.equal(some.length, 7);
  for (const row of some) {
    const { iata, name } = ALASKA.find((airport) => airport.iata === row.iata);
    assert.deepEqual(row.toJSON(), { iata, name });
  }
});

test("added rows are seen by the client and by the server", async () => {
  const table = await create("added");
  const more = { iata: "ZZZ", name: "Nowhere \u00e9\u4e2d \ud83d\udeeb", city: null, state: null, country: "?", latitude: -0.5, longitude: 180 };
  await table.add([more]);
  assert.equal(await table.countRows(), expected.length + 1);
  assert.deepEqual(await read(table), byIata([...source.rows, more]));
  assert.equal(await count(namespace, "added"), expected.length + 1);
  assert.deepEqual(await query(namespace, "added", { k: 10, vector: { single_vector: [] }, filter: "iata = 'ZZZ'" }), [more]);
});

test("an update changes the rows it names and no others", async () => {
  const table = await create("updated");
  await table.update({ where: "state = 'AK'", values: { country: "Alaska" } });
  const wanted = expected.map((row) => (row.state === "AK" ? { ...row, country: "Alaska" } : row));
  assert.deepEqual(await read(table), wanted);
  assert.equal(await count(namespace, "updated", "country = 'Alaska'"), ALASKA.length);
});

test("a delete removes the rows it names and no others", async () => {
  const table = await create("deleted");
  await table.delete("state = 'AK'");
  assert.deepEqual(await read(table), expected.filter((row) => row.state !== "AK"));
  assert.equal(await count(namespace, "deleted"), expected.length - ALASKA.length);
});

test("creating a table twice fails, and keeps the first", async () => {
  await create("twice");
  await assert.rejects(create("twice"), /already exists/i);
  assert.equal(await count(namespace, "twice"), expected.length);
});

test("overwriting a table replaces its rows", async () => {
  await create("overwritten");
  const few = source.rows.slice(0, 5);
  const table = await db.createTable("overwritten", few, namespace, { mode: "overwrite", schema: source.schema });
  assert.deepEqual(await read(table), byIata(few));
  assert.equal(await count(namespace, "overwritten"), 5);
});

test("tables are listed in order, dropped tables are gone, and the emptied warehouse can be removed", async () => {
  const names = ["added", "airports", "deleted", "filtered", "overwritten", "served", "twice", "updated"];
  assert.deepEqual(await db.tableNames(namespace), names);
  for (const name of names) {
    await db.dropTable(name, namespace);
    await assert.rejects(db.openTable(name, namespace), /not found/i);
  }
  assert.deepEqual(await db.tableNames(namespace), []);
  await removeWarehouse(made);
});
