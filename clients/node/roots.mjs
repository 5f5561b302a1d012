// Where the tables of a warehouse live, and LanceDB's own directory catalog over such a root.
import { call, lancedb, tablePath } from "./catalog.mjs";

/** The root of a namespace's warehouse, and what a client needs to reach it: both as the server hands them out. */
export async function rootOf(namespace) {
  await call("POST", tablePath([namespace], "place", "declare"), {});
  const told = await call("POST", tablePath([namespace], "place", "describe"), {});
  await call("POST", tablePath([namespace], "place", "drop"));
  return { root: told.location.slice(0, told.location.lastIndexOf("/")), storage: told.storage_options ?? {} };
}

export async function directory({ root, storage }, settings = {}) {
  const prefixed = Object.fromEntries(Object.entries(storage).map(([key, value]) => [`storage.${key}`, value]));
  return lancedb.connectNamespace("dir", { root, ...prefixed, ...settings }, { storageOptions: storage });
}
