// Tags, branches and indices: what LanceDB makes in the storage the server tells, and what the server makes LanceDB uses.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { call, connect, count, lancedb, newWarehouse, query, removeWarehouse, tablePath } from "./catalog.mjs";
import { airports } from "./datasets.mjs";

const source = airports();
const ALASKA = source.rows.filter((row) => row.state === "AK");
const names = [];

let made;
let db;
let namespace;

before(async () => {
  made = await newWarehouse();
  namespace = [made.namespace];
  db = await connect();
});

after(async () => {
  db?.close();
});

const create = (name) => {
  names.push(name);
  return db.createTable(name, source.rows, namespace, { schema: source.schema });
};
const ask = (name, operation, body = {}) => call("POST", tablePath(namespace, name, operation), body);

test("a tag of LanceDB's making is the server's, and the other way round", async () => {
  const table = await create("tagged");
  await table.delete("state = 'AK'");
  const tags = await table.tags();
  await tags.create("whole", 1);
  assert.equal((await ask("tagged", "tags/version", { tag: "whole" })).version, 1);
  await ask("tagged", "tags/create", { tag: "trimmed", version: 2 });
  assert.deepEqual(Object.keys(await tags.list()).sort(), ["trimmed", "whole"]);
  assert.equal(await tags.getVersion("trimmed"), 2);
  await tags.update("whole", 2);
  assert.equal((await ask("tagged", "tags/list")).tags.whole.version, 2);
  await ask("tagged", "tags/update", { tag: "whole", version: 1 });
  await table.checkout("whole");
  assert.equal(await table.countRows(), source.rows.length);
  await table.checkoutLatest();
  assert.equal(await table.countRows(), source.rows.length - ALASKA.length);
  await tags.delete("whole");
  await assert.rejects(ask("tagged", "tags/version", { tag: "whole" }), /404/);
  await ask("tagged", "tags/delete", { tag: "trimmed" });
  assert.deepEqual(await tags.list(), {});
});

test("a branch of either's making holds rows of its own for both", async () => {
  const table = await create("branched");
  const branches = await table.branches();
  const trimmed = await branches.create("trimmed");
  await trimmed.delete("state = 'AK'");
  assert.equal(await ask("branched", "count_rows", { branch: "trimmed" }), source.rows.length - ALASKA.length);
  assert.equal(await count(namespace, "branched"), source.rows.length);
  await ask("branched", "branches/create", { name: "team/alaska", from_version: 1 });
  await ask("branched", "delete", { branch: "team/alaska", predicate: "state != 'AK'" });
  const alaska = await branches.checkout("team/alaska");
  assert.equal(await alaska.countRows(), ALASKA.length);
  assert.deepEqual(Object.keys(await branches.list()).sort(), ["team/alaska", "trimmed"]);
  assert.deepEqual(Object.keys((await ask("branched", "branches/list")).branches).sort(), ["team/alaska", "trimmed"]);
  await branches.delete("trimmed");
  await assert.rejects(ask("branched", "count_rows", { branch: "trimmed" }), /404/);
  await ask("branched", "branches/delete", { name: "team/alaska" });
  assert.deepEqual(await branches.list(), {});
});

test("an index of either's making is listed by both and used by queries of both", async () => {
  const table = await create("indexed");
  await table.createIndex("state", { config: lancedb.Index.bitmap() });
  const [listed] = (await ask("indexed", "index/list")).indexes;
  assert.deepEqual([listed.index_name, listed.index_type, listed.columns], ["state_idx", "BITMAP", ["state"]]);
  assert.equal((await ask("indexed", "index/state_idx/stats")).num_indexed_rows, source.rows.length);
  const queried = await query(namespace, "indexed", { k: 10000, vector: { single_vector: [] }, filter: "state = 'AK'" });
  assert.equal(queried.length, ALASKA.length);

  await ask("indexed", "create_scalar_index", { column: "iata", index_type: "BTREE" });
  for (let tries = 0; tries < 600 && (await ask("indexed", "index/list")).indexes.length < 2; tries++) {
    await new Promise((done) => setTimeout(done, 200));
  }
  await table.checkoutLatest();
  assert.deepEqual((await table.listIndices()).map((index) => index.name).sort(), ["iata_idx", "state_idx"]);
  assert.equal((await table.indexStats("iata_idx")).numIndexedRows, source.rows.length);
  const [first] = source.rows;
  assert.equal((await table.query().where(`iata = '${first.iata}'`).toArray()).length, 1);

  await table.dropIndex("state_idx");
  await assert.rejects(ask("indexed", "index/state_idx/stats"), /404/);
  await ask("indexed", "index/iata_idx/drop");
  await table.checkoutLatest();
  assert.deepEqual(await table.listIndices(), []);
});

test("the emptied warehouse can be removed", async () => {
  for (const name of names) {
    await db.dropTable(name, namespace);
  }
  await removeWarehouse(made);
});
