// LanceDB in remote mode: a database is a namespace of the catalog, and every row goes through the server.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Field, FixedSizeList, Float32, Float64, Int32, Schema, Utf8 } from "apache-arrow";
import { call, connectDatabase, count, lancedb, newWarehouse, tablePath, version } from "./catalog.mjs";
import { airports } from "./datasets.mjs";

const source = airports();
const plain = (rows) => [...rows].map((row) => ({ ...row.toJSON() }));
const by = (key) => (a, b) => (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : 0);
const expected = source.rows.map((row) => ({ ...row })).sort(by("iata"));
const ALASKA = expected.filter((row) => row.state === "AK");

const vector = new FixedSizeList(2, new Field("item", new Float32(), true));
const points = new Schema([
  new Field("id", new Int32(), true),
  new Field("Text", new Utf8(), true),
  new Field("price", new Float64(), true),
  new Field("vector", vector, true),
]);
const POINTS = [
  { id: 1, Text: "a red apple", price: 1.5, vector: [0, 0] },
  { id: 2, Text: "a green apple", price: 2.5, vector: [1, 0] },
  { id: 3, Text: "a red pear", price: null, vector: [5, 5] },
  { id: 4, Text: "a yellow plum", price: 4.5, vector: [9, 9] },
];

let namespace;
let db;

before(async () => {
  namespace = (await newWarehouse()).namespace;
  db = await connectDatabase(namespace);
});

after(() => db?.close());

const fruits = (name, mode = "create") => db.createTable(name, POINTS, { schema: points, mode });
const ids = (rows) => plain(rows).map((row) => row.id);
const sorted = (rows) => ids(rows).sort((a, b) => a - b);

test("a created table reads back row by row as the file has it", async () => {
  const table = await db.createTable("airports", source.rows, { schema: source.schema });
  assert.deepEqual(plain(await table.query().toArray()).sort(by("iata")), expected);
  const again = await db.openTable("airports");
  assert.equal(await again.countRows(), expected.length);
  assert.equal(await again.countRows("state = 'AK'"), ALASKA.length);
  assert.equal(await count([namespace], "airports"), expected.length);
  assert.deepEqual(
    (await again.schema()).fields.map((field) => [field.name, String(field.type)]),
    source.schema.fields.map((field) => [field.name, String(field.type)]),
  );
  const found = plain(await again.query().where("state = 'AK' AND latitude > 65").select(["iata", "latitude"]).toArray());
  const wanted = ALASKA.filter((row) => row.latitude > 65).map(({ iata, latitude }) => ({ iata, latitude }));
  assert.deepEqual(found.sort(by("iata")), wanted);
});

test("creating a table twice fails, unless it is to be kept or replaced", async () => {
  await fruits("twice");
  await assert.rejects(fruits("twice"), /already exists/);
  const kept = await db.createTable("twice", POINTS.slice(0, 1), { schema: points, existOk: true });
  assert.equal(await kept.countRows(), 4);
  const replaced = await db.createTable("twice", POINTS.slice(0, 1), { schema: points, mode: "overwrite" });
  assert.equal(await replaced.countRows(), 1);
});

test("an absent table is said to be absent", async () => {
  await assert.rejects(db.openTable("nowhere"), /not found/i);
  await assert.rejects(db.dropTable("nowhere"), /not found|no table/i);
});

test("tables are listed by name and by pages", async () => {
  const own = await connectDatabase((await newWarehouse()).namespace);
  for (const name of ["c", "a", "b"]) {
    await own.createTable(name, POINTS, { schema: points });
  }
  assert.deepEqual(await own.tableNames(), ["a", "b", "c"]);
  assert.deepEqual(await own.tableNames({ limit: 2 }), ["a", "b"]);
  assert.deepEqual(await own.tableNames({ startAfter: "a" }), ["b", "c"]);
  await own.dropTable("b");
  assert.deepEqual(await own.tableNames(), ["a", "c"]);
  own.close();
});

test("namespaces inside a database hold tables of their own", async () => {
  await db.createNamespace(["inner"], { mode: "create", properties: { owner: "ann" } });
  await db.createNamespace(["inner"], { mode: "exist_ok" });
  assert.deepEqual((await db.describeNamespace(["inner"])).properties, { owner: "ann" });
  assert.ok((await db.listNamespaces()).namespaces.includes("inner"));
  const table = await db.createTable("deep", POINTS, ["inner"], { schema: points });
  assert.equal(await table.countRows(), 4);
  assert.equal(await count([namespace, "inner"], "deep"), 4);
  assert.deepEqual(await db.tableNames(["inner"]), ["deep"]);
  assert.ok(!(await db.tableNames()).includes("deep"));
  await db.dropNamespace(["inner"], { behavior: "cascade" });
  assert.ok(!(await db.listNamespaces()).namespaces.includes("inner"));
});

test("added, merged, updated and deleted rows are told and seen", async () => {
  const table = await fruits("changed");
  assert.equal((await table.add([{ id: 5, Text: "a kiwi", price: 0.5, vector: [3, 3] }])).version, 2);
  const merged = await table
    .mergeInsert("id")
    .whenMatchedUpdateAll()
    .whenNotMatchedInsertAll()
    .execute([
      { id: 5, Text: "two kiwis", price: 1, vector: [3, 3] },
      { id: 6, Text: "a fig", price: 2, vector: [4, 4] },
    ], { schema: points });
  assert.deepEqual([Number(merged.numUpdatedRows), Number(merged.numInsertedRows), Number(merged.numDeletedRows)], [1, 1, 0]);
  const updated = await table.update({ where: "id > 4", valuesSql: { price: "price * 10" } });
  assert.equal(Number(updated.rowsUpdated), 2);
  const deleted = await table.delete("id = 1");
  assert.equal(Number(deleted.numDeletedRows ?? 1), 1);
  const rows = plain(await table.query().select(["id", "Text", "price"]).toArray()).sort(by("id"));
  assert.deepEqual(rows.map((row) => [row.id, row.Text, row.price]), [
    [2, "a green apple", 2.5],
    [3, "a red pear", null],
    [4, "a yellow plum", 4.5],
    [5, "two kiwis", 10],
    [6, "a fig", 20],
  ]);
  await table.add(POINTS, { mode: "overwrite" });
  assert.deepEqual(sorted(await table.query().toArray()), [1, 2, 3, 4]);
});

// Clients before 0.39 match rows by one column.
const manyKeys = !/^0\.([0-9]|[12][0-9]|3[0-8])\./.test(version);

test("a merge may have several keys and delete what its source lacks", async () => {
  const table = await fruits("keys");
  await table
    .mergeInsert(manyKeys ? ["id", "Text"] : "id")
    .whenMatchedUpdateAll()
    .whenNotMatchedBySourceDelete({ where: "id > 2" })
    .execute([{ id: 1, Text: "a red apple", price: 9, vector: [0, 0] }], { schema: points });
  const rows = plain(await table.query().toArray()).sort(by("id"));
  assert.deepEqual(rows.map((row) => [row.id, row.price]), [[1, 9], [2, 2.5]]);
});

test("the nearest vectors are found, within bounds, past others, and for several at once", async () => {
  const table = await fruits("near");
  assert.deepEqual(ids(await table.vectorSearch([0.9, 0]).limit(3).toArray()), [2, 1, 3]);
  const rows = plain(await table.vectorSearch([0, 0]).distanceType("l2").limit(2).toArray());
  assert.deepEqual(rows.map((row) => row._distance), [0, 1]);
  assert.deepEqual(ids(await table.vectorSearch([0, 0]).where("price > 2").limit(2).toArray()), [2, 4]);
  assert.deepEqual(ids(await table.vectorSearch([0, 0]).distanceRange(0.5, 60).limit(9).toArray()), [2, 3]);
  assert.deepEqual(ids(await table.vectorSearch([0, 0]).limit(2).offset(1).toArray()), [2, 3]);
  assert.deepEqual(ids(await table.vectorSearch([0, 0]).bypassVectorIndex().withRowId().limit(1).toArray()), [1]);
  const several = plain(await table.vectorSearch([9, 9]).addQueryVector([0.9, 0]).limit(1).toArray());
  assert.deepEqual(several.map((row) => [row.query_index, row.id]).sort(), [[0, 4], [1, 2]]);
});

test("columns are chosen by name and computed by expression", async () => {
  const table = await fruits("chosen");
  const rows = plain(await table.query().where("id < 3").select({ id: "id", loud: "upper(`Text`)", twice: "price * 2" }).toArray());
  assert.deepEqual(rows.sort(by("id")), [
    { id: 1, loud: "A RED APPLE", twice: 3 },
    { id: 2, loud: "A GREEN APPLE", twice: 5 },
  ]);
  const near = plain(await table.vectorSearch([1, 0]).select({ id: "id", share: "_distance / 2" }).limit(2).toArray());
  assert.deepEqual(near.map((row) => [row.id, row.share]), [[2, 0], [1, 0.5]]);
  await assert.rejects(table.query().select({ x: "nothing + 1" }).toArray(), /nothing/);
});

test("words are found by an index, and together with vectors", async () => {
  const table = await fruits("words");
  await table.createIndex("Text", { config: lancedb.Index.fts({ withPosition: true }) });
  await table.waitForIndex(["Text_idx"], 120);
  assert.deepEqual(sorted(await table.search("apple", "fts", "Text").limit(9).toArray()), [1, 2]);
  assert.deepEqual(sorted(await table.query().fullTextSearch("red").limit(9).toArray()), [1, 3]);
  const phrase = new lancedb.PhraseQuery("red apple", "Text");
  assert.deepEqual(ids(await table.query().fullTextSearch(phrase).limit(9).toArray()), [1]);
  const fuzzy = new lancedb.MatchQuery("plom", "Text", { fuzziness: 1 });
  assert.deepEqual(ids(await table.query().fullTextSearch(fuzzy).limit(9).toArray()), [4]);
  const either = new lancedb.MultiMatchQuery("plum", ["Text"]);
  assert.deepEqual(ids(await table.query().fullTextSearch(either).limit(9).toArray()), [4]);
  const scored = plain(await table.query().fullTextSearch("plum").limit(1).toArray());
  assert.ok(scored[0]._score > 0);
  const reranker = await lancedb.rerankers.RRFReranker.create();
  const hybrid = await table.query().nearestTo([9, 9]).fullTextSearch("apple").rerank(reranker).limit(3).toArray();
  const found = sorted(hybrid);
  assert.equal(found.length, 3);
  assert.ok(found.includes(4), "the nearest vector is among them");
  assert.ok(found.includes(1) || found.includes(2), "so is a row with the word");
});

test("plans are told", async () => {
  const table = await fruits("plans");
  assert.match(await table.query().where("id > 1").explainPlan(true), /LanceRead/);
  assert.match(await table.vectorSearch([0, 0]).limit(2).explainPlan(), /KNN|ANN|VectorSearch/);
  assert.match(await table.query().where("id > 1").analyzePlan(), /output_rows=3/);
});

test("indices are made, listed, measured, warmed and dropped", async () => {
  const many = Array.from({ length: 300 }, (_, i) => ({ id: i, Text: `t${i % 7}`, price: i / 4, vector: [i % 17, i % 23] }));
  const table = await db.createTable("indexed", many, { schema: points });
  await table.createIndex("vector", { config: lancedb.Index.ivfFlat({ distanceType: "cosine", numPartitions: 2 }), name: "near" });
  await table.createIndex("id", { config: lancedb.Index.btree() });
  await table.createIndex("Text", { config: lancedb.Index.bitmap() });
  await table.waitForIndex(["near", "id_idx", "Text_idx"], 120);
  const listed = (await table.listIndices()).map((index) => [index.name, index.indexType, index.columns]);
  assert.deepEqual(listed.sort(), [
    ["Text_idx", "Bitmap", ["Text"]],
    ["id_idx", "BTree", ["id"]],
    ["near", "IvfFlat", ["vector"]],
  ]);
  const stats = await table.indexStats("near");
  assert.equal(stats.numIndexedRows, 300);
  assert.equal(stats.numUnindexedRows, 0);
  assert.equal(stats.distanceType, "cosine");
  assert.equal(await table.indexStats("none"), undefined);
  await table.prewarmIndex("id_idx");
  assert.deepEqual(ids(await table.query().where("id = 77").toArray()), [77]);
  await table.add([{ id: 1000, Text: "new", price: 1, vector: [0, 0] }]);
  assert.equal((await table.indexStats("id_idx")).numUnindexedRows, 1);
  assert.equal((await table.query().fastSearch().where("id >= 0").limit(999).toArray()).length, 301);
  await table.dropIndex("id_idx");
  assert.ok(!(await table.listIndices()).some((index) => index.name === "id_idx"));
  // Made by others, of a type that this client does not know: it still reads the list.
  const other = { column: "price", index_type: "ZONEMAP" };
  await call("POST", tablePath([namespace], "indexed", "create_scalar_index"), other);
  const names = (await table.listIndices()).map((index) => index.name);
  assert.ok(names.includes("near") && names.includes("Text_idx"));
});

test("versions are listed, read, tagged and returned to", async () => {
  const table = await fruits("versions");
  await table.add([{ id: 5, Text: "a kiwi", price: 0.5, vector: [3, 3] }]);
  assert.equal(await table.version(), 2);
  const versions = await table.listVersions();
  assert.deepEqual(versions.map((each) => Number(each.version)).sort(), [1, 2]);
  assert.ok(versions.every((each) => Math.abs(Date.now() - new Date(each.timestamp).getTime()) < 3_600_000));
  const tags = await table.tags();
  await tags.create("first", 1);
  assert.equal((await tags.list()).first.version, 1);
  assert.equal(await tags.getVersion("first"), 1);
  await table.checkout("first");
  assert.equal(await table.countRows(), 4);
  assert.equal((await table.query().toArray()).length, 4);
  await table.checkoutLatest();
  assert.equal(await table.countRows(), 5);
  await table.checkout(1);
  await table.restore();
  assert.equal(await table.countRows(), 4);
  assert.equal(await table.version(), 3);
  await tags.update("first", 2);
  assert.equal(await tags.getVersion("first"), 2);
  await tags.delete("first");
  assert.deepEqual(await tags.list(), {});
});

test("columns are added, changed and dropped", async () => {
  const table = await fruits("columns");
  await table.addColumns([{ name: "twice", valueSql: "id * 2" }]);
  await table.alterColumns([{ path: "twice", rename: "double", dataType: new Float64() }]);
  const rows = plain(await table.query().select(["id", "double"]).toArray()).sort(by("id"));
  assert.deepEqual(rows.map((row) => row.double), [2, 4, 6, 8]);
  assert.equal(String((await table.schema()).fields.find((field) => field.name === "double").type), "Float64");
  await table.dropColumns(["double"]);
  assert.deepEqual((await table.schema()).fields.map((field) => field.name), ["id", "Text", "price", "vector"]);
});

test("statistics count rows and files", async () => {
  const table = await fruits("measured");
  const stats = await table.stats();
  assert.equal(Number(stats.numRows), 4);
  assert.equal(Number(stats.fragmentStats.numFragments), 1);
});

test("a table is known by its new name", async (t) => {
  if (typeof db.renameTable !== "function") {
    return t.skip("this client renames no tables");
  }
  await fruits("before");
  await db.renameTable("before", "after");
  // This connection goes on calling what it has open by the old name.
  const again = await connectDatabase(namespace);
  assert.equal(await (await again.openTable("after")).countRows(), 4);
  await assert.rejects(again.openTable("before"), /not found/i);
  again.close();
});

test("a branch has rows of its own", async (t) => {
  const table = await fruits("branched");
  if (typeof table.branches !== "function") {
    return t.skip("this client knows no branches");
  }
  const branches = await table.branches();
  const trial = await branches.create("trial");
  await trial.add([{ id: 5, Text: "a kiwi", price: 0.5, vector: [3, 3] }]);
  assert.equal(await trial.countRows(), 5);
  assert.equal(await table.countRows(), 4);
  assert.ok("trial" in (await branches.list()));
  await branches.delete("trial");
  assert.ok(!("trial" in (await branches.list())));
});

test("an index that is made beside is followed as a job", async (t) => {
  const table = await fruits("followed");
  if (typeof table.createIndexAsync !== "function") {
    return t.skip("this client follows no jobs");
  }
  const job = await table.createIndexAsync("id", { config: lancedb.Index.btree() });
  await job.wait();
  assert.ok((await table.listIndices()).some((index) => index.name === "id_idx"));
});
