// The result of a conformance run by tier; ends with "N passed, N failed".  A skip is a failure: the
// suite skips what an endpoint does not have.

import { readFileSync } from "node:fs";

const { testResults } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const sdk = JSON.parse(readFileSync("node_modules/@aws-sdk/client-dynamodb/package.json", "utf8")).version;
const tiers = new Map();
const lines = [];

for (const { name, assertionResults, message } of testResults) {
  const [, file, tier] = /tests\/((tier\d)\/.*)$/.exec(name);
  const counts = tiers.get(tier) ?? { passed: 0, failed: 0, skipped: 0 };
  tiers.set(tier, counts);
  if (!assertionResults.length) {
    counts.failed++;
    lines.push(`FAIL ${file}: ${message?.split("\n")[0] ?? "no test ran"}`);
  }
  for (const { status, fullName, failureMessages } of assertionResults) {
    if (status === "passed") counts.passed++;
    else if (status === "failed") counts.failed++;
    else counts.skipped++;
    if (status !== "passed")
      lines.push(`${status === "failed" ? "FAIL" : "SKIP"} ${file}: ${fullName}: ${failureMessages?.[0]?.split("\n")[0] ?? ""}`);
  }
}

console.log(lines.join("\n"));
console.log(`@aws-sdk/client-dynamodb ${sdk}`);
let passed = 0;
let failed = 0;
for (const [tier, counts] of [...tiers].sort()) {
  console.log(`${tier}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  passed += counts.passed;
  failed += counts.failed + counts.skipped;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed || !passed ? 1 : 0;
