// Types, numbers, pages, capacity and errors through the newest SDK.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import * as sdk from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, GetCommand, NumberValue, PutCommand } from "@aws-sdk/lib-dynamodb";

import { lab, settings, startStator, types } from "./stator.mjs";

const fromBase64 = (text) => new Uint8Array(Buffer.from(text, "base64"));

/** B members as the SDK wants them: bytes. */
function fromWire(value) {
  if (Array.isArray(value)) return value.map(fromWire);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value);
  if (entries.length === 1 && entries[0][0] === "B" && typeof value.B === "string") return { B: fromBase64(value.B) };
  if (entries.length === 1 && entries[0][0] === "BS") return { BS: value.BS.map(fromBase64) };
  return Object.fromEntries(entries.map(([k, v]) => [k, fromWire(v)]));
}

/** Members of sets in one order, bytes as text: what deepEqual can compare. */
function settled(value) {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (Array.isArray(value)) return value.map(settled);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([k, v]) => [k, /^(SS|NS|BS)$/.test(k) ? settled(v).sort() : settled(v)]),
  );
}

/** digits * 10^zeros as the wire writes it: without an exponent. */
function plainNumber(digits, zeros) {
  const sign = digits.startsWith("-") ? "-" : "";
  const bare = digits.replace("-", "");
  return zeros >= 0 ? digits + "0".repeat(zeros) : `${sign}0.${"0".repeat(-zeros - bare.length)}${bare}`;
}

describe("items", () => {
  let stator, client;
  const send = (operation, input) => client.send(new sdk[`${operation}Command`]({ TableName: "lab", ...input }));
  const row = (PK, SK, more = {}) => ({ PK: { S: PK }, SK: { S: SK }, ...more });

  before(async () => {
    stator = await startStator();
    client = new sdk.DynamoDBClient(settings(stator.endpoint));
    await client.send(new sdk.CreateTableCommand(lab));
    await sdk.waitUntilTableExists({ client, maxWaitTime: 20, minDelay: 1 }, { TableName: "lab" });
  });
  after(async () => {
    await client?.send(new sdk.DeleteTableCommand({ TableName: "lab" }));
    client?.destroy();
    await stator?.stop();
  });

  test("all ten types come back as they went", async () => {
    const item = fromWire(types.item);
    await send("PutItem", { Item: item });
    const { Item } = await send("GetItem", { Key: { PK: item.PK, SK: item.SK }, ConsistentRead: true });
    assert.deepEqual(settled(Item), settled(item));
  });

  const numbers = [...types.numbers, ...types.extremes.map(([sent, digits, zeros]) => [sent, plainNumber(digits, zeros)])];
  for (const [sent, wanted] of numbers) {
    test(`number ${sent}`, async () => {
      await send("PutItem", { Item: row("number", sent, { n: { N: sent } }) });
      const { Item } = await send("GetItem", { Key: row("number", sent) });
      assert.deepEqual(Item.n, { N: wanted });
    });
  }
  for (const [sent, message] of types.refused) {
    test(`number "${sent}" is refused`, async () => {
      await assert.rejects(send("PutItem", { Item: row("r", "r", { n: { N: sent } }) }), { name: "ValidationException", message });
    });
  }

  test("document client: big integers, exact numbers, sets and bytes", async () => {
    const document = DynamoDBDocumentClient.from(client, { unmarshallOptions: { wrapNumbers: true } });
    const exact = "12345678901234567890.123456789012345678";
    const Item = { PK: "document", SK: "a", big: 2n ** 100n, exact: NumberValue.from(exact), words: new Set(["x", "y"]), raw: new Uint8Array([0, 255]) };
    await document.send(new PutCommand({ TableName: "lab", Item }));
    const answer = await document.send(new GetCommand({ TableName: "lab", Key: { PK: "document", SK: "a" } }));
    assert.equal(answer.Item.big.toString(), (2n ** 100n).toString());
    assert.equal(answer.Item.exact.toString(), exact);
    assert.deepEqual(answer.Item.words, new Set(["x", "y"]));
    assert.deepEqual([...answer.Item.raw], [0, 255]);
  });

  test("a paginator walks 30 items by 7, in order and backwards", async () => {
    const names = Array.from({ length: 30 }, (_, i) => String(i).padStart(3, "0"));
    await Promise.all(names.map((name) => send("PutItem", { Item: row("pages", name) })));
    for (const ScanIndexForward of [true, false]) {
      const ask = { TableName: "lab", KeyConditionExpression: "PK = :p", ExpressionAttributeValues: { ":p": { S: "pages" } }, ScanIndexForward };
      const sizes = [];
      const found = [];
      for await (const page of sdk.paginateQuery({ client, pageSize: 7 }, ask)) {
        sizes.push(page.Items.length);
        found.push(...page.Items.map((item) => item.SK.S));
      }
      assert.deepEqual(sizes, [7, 7, 7, 7, 2]);
      assert.deepEqual(found, ScanIndexForward ? names : names.toReversed());
    }
  });

  test("condition failed: the old item comes with the error when asked", async () => {
    await send("PutItem", { Item: row("guard", "a", { v: { N: "1" } }) });
    const again = { Item: row("guard", "a"), ConditionExpression: "attribute_not_exists(PK)", ReturnValuesOnConditionCheckFailure: "ALL_OLD" };
    const fault = await send("PutItem", again).catch((error) => error);
    assert.equal(fault.name, "ConditionalCheckFailedException");
    assert.deepEqual(fault.Item, row("guard", "a", { v: { N: "1" } }));
  });

  test("a counter moved by 32 at a time loses nothing", async () => {
    const one = { Key: row("counter", "c"), UpdateExpression: "ADD n :one", ExpressionAttributeValues: { ":one": { N: "1" } } };
    for (let i = 0; i < 10; i++) await Promise.all(Array.from({ length: 32 }, () => send("UpdateItem", one)));
    const { Item } = await send("GetItem", { Key: row("counter", "c"), ConsistentRead: true });
    assert.deepEqual(Item.n, { N: "320" });
  });

  test("an item over 400 KB is refused, one of 400 KB is not", async () => {
    const fixed = 2 + 4 + 2 + 1 + 1; // PK "size" SK "a" p
    const sized = (bytes) => ({ Item: row("size", "a", { p: { S: "x".repeat(bytes - fixed) } }), ReturnConsumedCapacity: "TOTAL" });
    const answer = await send("PutItem", sized(409600));
    assert.deepEqual(answer.ConsumedCapacity, { TableName: "lab", CapacityUnits: 400 });
    await assert.rejects(send("PutItem", sized(409601)), {
      name: "ValidationException",
      message: "Item size has exceeded the maximum allowed size",
    });
  });

  test("a reply of 400 KB comes whole", async () => {
    const { Item } = await send("GetItem", { Key: row("size", "a") });
    assert.equal(Item.p.S.length, 409600 - 10);
  });

  test("an operation that is known but not there yet is refused by name, not dropped", async () => {
    const fault = await client.send(new sdk.DescribeExportCommand({ ExportArn: "arn:aws:dynamodb:us-east-1:000000000000:table/lab/export/01" })).catch((error) => error);
    assert.ok(fault instanceof sdk.DynamoDBServiceException, String(fault));
    assert.ok(fault.$metadata.httpStatusCode < 500, String(fault));
  });
});
