// Starts the program for a test file and stops it; STATOR_ENDPOINT names one that already runs,
// STATOR_PROGRAM another program than build/stator.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");

const startSeconds = Number(process.env.STATOR_START_SECONDS ?? 20);

/** Resolves to {endpoint, stop}; stop resolves to the exit code. */
export async function startStator(...flags) {
  if (process.env.STATOR_ENDPOINT)
    return { endpoint: process.env.STATOR_ENDPOINT, stop: async () => 0 };
  const data = mkdtempSync(join(tmpdir(), "stator-e2e-"));
  const binary = process.env.STATOR_PROGRAM ?? join(root, "build", "stator");
  const child = spawn(binary, ["serve", "--port", "0", "--data", data, ...flags], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve(code ?? signal));
    child.once("error", resolve);
  });
  const endpoint = await readiness(child, ended);
  const stop = async () => {
    child.kill("SIGTERM");
    const code = await ended;
    rmSync(data, { recursive: true, force: true });
    return code;
  };
  return { endpoint, stop };
}

function readiness(child, ended) {
  return new Promise((resolve, reject) => {
    let output = "";
    const fail = (why) => {
      child.kill("SIGKILL");
      reject(new Error(`stator did not start: ${why}\n${output}`));
    };
    const late = setTimeout(fail, startSeconds * 1000, "no answer in time");
    const read = (bytes) => {
      output += bytes;
      const found = /listening on (http:\/\/\S+:\d+)/.exec(output);
      if (!found) return;
      clearTimeout(late);
      resolve(found[1]);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    ended.then((code) => {
      clearTimeout(late);
      fail(`ended with ${code}`);
    });
  });
}

export const settings = (endpoint) => ({
  endpoint,
  region: "us-east-1",
  credentials: { accessKeyId: "local", secretAccessKey: "local" },
  maxAttempts: 1, // a second attempt would hide a first that failed
});

const readJson = (...path) => JSON.parse(readFileSync(join(root, ...path), "utf8"));

export const examples = ["follow", "school", "shop"].map((name) => ({
  name,
  table: readJson("examples", name, "table.json"),
  requests: readJson("examples", name, "requests.json"),
  patterns: readJson("examples", name, "patterns.json"),
}));

export const types = readJson("tests", "e2e", "types.json");

/** The lab table of the tests that need one of their own. */
export const lab = {
  TableName: "lab",
  BillingMode: "PAY_PER_REQUEST",
  AttributeDefinitions: ["PK", "SK"].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
  KeySchema: [
    { AttributeName: "PK", KeyType: "HASH" },
    { AttributeName: "SK", KeyType: "RANGE" },
  ],
};
