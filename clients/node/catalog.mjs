// The catalog under test, as any HTTP client sees it.
import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { tableFromIPC } from "apache-arrow";

// The same tests run on the LanceDB of another folder when LANCEDB names one.
const folder = resolve(process.env.LANCEDB ?? import.meta.dirname ?? ".");
const require = createRequire(`${folder}/package.json`);
export const lancedb = require("@lancedb/lancedb");
export const { version } = JSON.parse(readFileSync(join(dirname(require.resolve("@lancedb/lancedb")), "..", "package.json")));

export const url = process.env.CATALOG_URL ?? "http://127.0.0.1:2333";

/** Sends a request and answers the response; anything but 2xx is an error that carries the whole answer. */
export async function send(method, path, body) {
  const response = await fetch(`${url}/v1/${path}`, {
    method,
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!response.ok) {
    throw new Error(`${method} /v1/${path} answered ${response.status}: ${await response.text()}`);
  }
  return response;
}

export async function call(method, path, body) {
  return (await send(method, path, body)).json();
}

/** Makes a project, a warehouse and a top-level namespace of their own, so that runs never meet. */
export async function newWarehouse() {
  const suffix = randomBytes(5).toString("hex");
  const made = { project: `project-${suffix}`, warehouse: `lake-${suffix}`, namespace: `vega-${suffix}` };
  await call("POST", "projects", { id: made.project });
  await call("POST", "warehouses", { id: made.warehouse, project: made.project });
  await call("POST", `warehouses/${made.warehouse}/namespaces`, { namespace: made.namespace });
  return made;
}

/** Removes what newWarehouse made; each step refuses while something is left inside. */
export async function removeWarehouse(made) {
  await call("DELETE", `warehouses/${made.warehouse}/namespaces/${made.namespace}`);
  await call("DELETE", `warehouses/${made.warehouse}`);
  await call("DELETE", `projects/${made.project}`);
}

export function connect() {
  return lancedb.connectNamespace("rest", { uri: url });
}

/** A database as LanceDB knows it from afar: all data goes through the server. */
export function connectDatabase(name) {
  return lancedb.connect(`db://${name}`, { apiKey: "sk_test", hostOverride: url, clientConfig: { retryConfig: { retries: 0 } } });
}

/** The path of a table's operations; the delimiter stays a delimiter, everything else is encoded. */
export function tablePath(namespace, name, operation) {
  return `table/${[...namespace, name].map(encodeURIComponent).join("$")}/${operation}`;
}

/** Asks the server itself, not the storage, for the rows of a table. */
export async function query(namespace, name, request) {
  const response = await send("POST", tablePath(namespace, name, "query"), request);
  return tableFromIPC(new Uint8Array(await response.arrayBuffer())).toArray().map((row) => row.toJSON());
}

export async function count(namespace, name, predicate) {
  return call("POST", tablePath(namespace, name, "count_rows"), predicate === undefined ? {} : { predicate });
}
