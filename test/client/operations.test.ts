import { beforeAll, expect, it } from "vitest";
import { createClient } from "../../client/client.ts";
import { OPERATIONS } from "../../client/operations.ts";
import { type Document, loadDocument, type Operation } from "../api/support/document.ts";

let documented: Document["operations"];
beforeAll(async () => {
  documented = (await loadDocument()).operations;
});

const GROUPS: Readonly<Record<string, string>> = {
  "phone numbers": "phoneNumbers",
  "API keys": "apiKeys",
  "personal data": "personalData",
};
const groupOf = ({ tags: [tag = ""] }: Operation) => GROUPS[tag] ?? tag;

it("are methods of the client, one for each operation of the document, under its tag", () => {
  const client = createClient({ baseUrl: "http://127.0.0.1:1", apiKey: "key" });
  const methods = Object.entries(client).flatMap(([group, each]) =>
    Object.entries(each).map(([name, method]) => [group, name, typeof method]),
  );
  const wanted = documented.map((each) => [groupOf(each), each.operationId, "function"]);
  expect(methods.toSorted()).toEqual(wanted.toSorted());
});

const CONTENT: Readonly<Record<string, "JSON" | "form">> = {
  "application/json": "JSON",
  "multipart/form-data": "form",
};

const isFile = ({ answers }: Operation) =>
  [...answers].some(([status, json]) => status < 300 && json === null);

it("are sent as the document has them: with a body, a query, an Idempotency-Key or an API key", () => {
  const byName = (each: { readonly name: string }) => [each.name, each] as const;
  const wanted = documented.map((each) => ({
    group: groupOf(each),
    name: each.operationId,
    method: each.method,
    path: each.path.replaceAll(/\{(\w+)\}/g, ":$1"),
    takesBody: CONTENT[each.bodyTypes[0] ?? ""] ?? "nothing",
    takesQuery: each.parameters.some((parameter) => parameter.in === "query"),
    takesIdempotencyKey: each.idempotent,
    needsApiKey: each.security.length > 0,
    answers: isFile(each) ? "stream" : "JSON",
  }));
  expect(wanted.filter(({ takesIdempotencyKey }) => takesIdempotencyKey).length).toBeGreaterThan(10);
  expect(Object.fromEntries(OPERATIONS.map(byName))).toEqual(Object.fromEntries(wanted.map(byName)));
});
