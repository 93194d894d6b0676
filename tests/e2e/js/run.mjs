// Runs the test files one after the other and ends with "N passed, N failed".

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "node:test";

const here = import.meta.dirname ?? new URL(".", import.meta.url).pathname;
const version = JSON.parse(readFileSync(join(here, "../node_modules/@aws-sdk/client-dynamodb/package.json"))).version;
const files = readdirSync(here).filter((name) => name.endsWith(".test.mjs")).map((name) => join(here, name));
const started = Date.now();
let passed = 0;
let failed = 0;

function tell({ name, file, details }) {
  const cause = details.error?.cause ?? details.error;
  console.log(`FAIL @aws-sdk ${version}: ${name}`);
  console.log("    " + String(cause?.message ?? cause).trim().replaceAll("\n", "\n    "));
}

const events = run({ files, concurrency: 1 });
const isSuite = (event) => event.details.type === "suite";
events.on("test:pass", (event) => {
  if (!isSuite(event)) passed++;
});
events.on("test:fail", (event) => {
  // A suite fails along with its tests; on its own only when its before or after did.
  if (isSuite(event) && event.details.error?.failureType === "subtestsFailed") return;
  failed++;
  tell(event);
});
events.resume();
events.on("end", () => {
  console.log(`@aws-sdk ${version}: ${((Date.now() - started) / 1000).toFixed(1)} s`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed || !passed ? 1 : 0;
});
