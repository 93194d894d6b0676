// Every access pattern of the examples, through the plain client and through the document client:
// items, order, consumed capacity, never a scan.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import * as sdk from "@aws-sdk/client-dynamodb";
import * as documents from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";

import { examples, settings, startStator } from "./stator.mjs";

/** Sends a request of the data files as the plain client takes it. */
function sendPlain(client) {
  return (operation, input) => client.send(new sdk[`${operation}Command`](input));
}

const documentCommands = {
  GetItem: documents.GetCommand,
  PutItem: documents.PutCommand,
  UpdateItem: documents.UpdateCommand,
  DeleteItem: documents.DeleteCommand,
  Query: documents.QueryCommand,
  TransactWriteItems: documents.TransactWriteCommand,
};

/** The same with attribute values as plain JavaScript values. */
function sendDocument(client) {
  return (operation, input) => client.send(new documentCommands[operation](asDocument(input)));
}

const attributeMaps = new Set(["Item", "Key", "ExpressionAttributeValues", "ExclusiveStartKey", "Attributes", "LastEvaluatedKey"]);

function asDocument(value, name) {
  if (Array.isArray(value))
    return name === "Items" ? value.map((item) => unmarshall(item)) : value.map((v) => asDocument(v));
  if (value === null || typeof value !== "object") return value;
  if (attributeMaps.has(name)) return unmarshall(value);
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, asDocument(v, k)]));
}

function withoutMetadata({ $metadata, ...answer }) {
  assert.equal($metadata.attempts, 1);
  assert.match($metadata.requestId, /^[0-9A-Z]{52}$/);
  return Object.fromEntries(Object.entries(answer).filter(([, v]) => v !== undefined));
}

async function refused(promise, wanted) {
  const fault = await promise.then(
    (answer) => assert.fail(`accepted, want ${wanted.name}: ${JSON.stringify(answer)}`),
    (error) => error,
  );
  assert.equal(fault.name, wanted.name, fault.message);
  assert.ok(fault instanceof sdk.DynamoDBServiceException);
  if (wanted.message) assert.equal(fault.message, wanted.message);
  if (wanted.reasons) assert.deepEqual(JSON.parse(JSON.stringify(fault.CancellationReasons)), wanted.reasons);
}

const clients = [
  { title: "client-dynamodb", open: (endpoint) => new sdk.DynamoDBClient(settings(endpoint)), sender: sendPlain, answer: (a) => a },
  {
    title: "lib-dynamodb",
    open: (endpoint) => documents.DynamoDBDocumentClient.from(new sdk.DynamoDBClient(settings(endpoint))),
    sender: sendDocument,
    answer: asDocument,
  },
];

for (const { title, open, sender, answer } of clients) {
  describe(title, () => {
    let stator, client, send;
    before(async () => {
      stator = await startStator();
      client = open(stator.endpoint);
      send = sender(client);
    });
    after(async () => {
      client?.destroy();
      assert.equal(await stator?.stop(), 0, "SIGTERM stops it cleanly");
    });

    for (const example of examples) {
      test(`${title}, ${example.name}: table and items`, async () => {
        const plain = new sdk.DynamoDBClient(settings(stator.endpoint));
        await plain.send(new sdk.DeleteTableCommand({ TableName: example.name })).catch(() => {});
        await sdk.waitUntilTableNotExists({ client: plain, maxWaitTime: 20, minDelay: 1 }, { TableName: example.name });
        await plain.send(new sdk.CreateTableCommand(example.table));
        await sdk.waitUntilTableExists({ client: plain, maxWaitTime: 20, minDelay: 1 }, { TableName: example.name });
        plain.destroy();
        for (const { operation, input } of example.requests) await send(operation, input);
      });
      for (const { pattern, operation, input, response, error } of example.patterns) {
        test(`${title}, ${example.name}: ${pattern}`, async () => {
          assert.notEqual(operation, "Scan");
          if (error) await refused(send(operation, input), error);
          else assert.deepEqual(withoutMetadata(await send(operation, input)), answer(response));
        });
      }
    }
  });
}
