// Runs what README.md prints, in the order in which it is printed, in an empty folder: shell blocks by bash in one session's
// variables and functions, scripts saved under the name in their first line. A text block is what the block before it printed.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const blocks = [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, code]) => ({ language, code }));
const folder = mkdtempSync(join(tmpdir(), "readme-"));
after(() => rmSync(folder, { recursive: true, force: true }));

// What one block defines is there for the next, as in a reader's terminal.
const session = join(folder, ".session");
writeFileSync(session, "");
let printed = "";

function run(code) {
  const script = `set -euo pipefail\nsource ${session}\n${code}\n{ declare -p api; declare -f; } >${session} 2>/dev/null || true\n`;
  const { status, stdout, stderr } = spawnSync("bash", ["-c", script], { cwd: folder, encoding: "utf8", timeout: 300_000 });
  printed = stdout;
  assert.equal(status, 0, `exit ${status}\n${stdout}${stderr}`);
}

test("the README has blocks of every kind", () => {
  for (const language of ["sh", "js", "text"]) {
    assert.ok(blocks.some((block) => block.language === language), language);
  }
});

for (const { language, code } of blocks) {
  const [firstLine] = code.split("\n");
  if (language === "sh" && firstLine.startsWith("./mvnw")) {
    continue; // the commands that start this server and the test run it is part of
  }
  test(`${language}: ${firstLine}`, () => {
    if (language === "sh") {
      run(code);
    } else if (language === "js") {
      writeFileSync(join(folder, firstLine.replace("// ", "")), code);
    } else {
      assert.equal(printed, code);
    }
  });
}
