import { Validator } from "@seriousme/openapi-schema-validator";
import { beforeAll, describe, expect, it } from "vitest";
import { bodySchemas } from "../../api/body-checks/body-schemas.ts";
import { buildServer } from "../../api/server.ts";
import { ALL_KINDS } from "../../domain/webhook/kinds.ts";
import { type Document, loadDocument, mismatch } from "./support/document.ts";
import { throwingDeps } from "./support/inert-deps.ts";

let document: Document;
beforeAll(async () => {
  document = await loadDocument();
});

/** Names whose values are the caller's own, or a tool's. */
const FREE = [
  "jsonSchema",
  "metadata",
  "customData",
  "overrideSettings",
  "arguments",
  "variables",
  "rows",
  "result",
  "when",
];

function emptySchemas(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value !== "object" || value === null) return [];
  const isSchema = ["schema", "items", "additionalProperties"].includes(path.at(-1) ?? "");
  const isProperty = path.at(-2) === "properties";
  const empty = Object.keys(value).length === 0 && (isSchema || isProperty);
  const here = empty && !path.some((step) => FREE.includes(step)) ? [path.join("/")] : [];
  const below = Object.entries(value).filter(([key]) => key !== "examples" && key !== "example");
  return [...here, ...below.flatMap(([key, inner]) => emptySchemas(inner, [...path, key]))];
}

describe("the OpenAPI document", () => {
  it("is valid OpenAPI 3.1", async () => {
    expect(document.raw.openapi).toBe("3.1.0");
    const result = await new Validator().validate(JSON.parse(JSON.stringify(document.raw)));
    expect(result).toEqual({ valid: true });
  });

  it("holds every route of the service", async () => {
    const api = buildServer(throwingDeps(() => new Error("no work in this test")));
    const routes: string[] = [];
    api.addHook("onRoute", ({ method, url, schema }) => {
      const outside = schema?.hide === true || url.startsWith("/docs") || method === "HEAD";
      if (!outside) routes.push(`${String(method)} ${url.replaceAll(/:(\w+)/g, "{$1}")}`);
    });
    await api.ready();
    await api.close();
    const documented = document.operations.map(({ method, path }) => `${method} ${path}`);
    expect(documented.length).toBeGreaterThan(75);
    expect(documented.toSorted()).toEqual(routes.toSorted());
  });

  it("says of every body by which it is checked", async () => {
    const api = buildServer(throwingDeps(() => new Error("no work in this test")));
    const taken: string[] = [];
    const otherwise: string[] = [];
    api.addHook("onRoute", ({ method, url, schema, config }) => {
      if (schema?.body === undefined) return;
      const checkedBy = bodySchemas[config?.bodySchema ?? ""];
      (checkedBy === schema.body ? taken : otherwise).push(`${String(method)} ${url}`);
    });
    await api.ready();
    await api.close();
    expect(otherwise).toEqual([]);
    expect(taken.length).toBeGreaterThan(30);
  });

  it("has no empty schema but for what is the caller's own", () => {
    expect(emptySchemas(document.raw)).toEqual([]);
  });

  it("names each operation once", () => {
    const names = document.operations.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
  });

  it("asks for a key exactly under /api/v1", () => {
    const open = document.operations.filter(({ scope }) => scope === null).map(({ path }) => path);
    const paths = [...new Set(open)];
    // A session has a cookie in place of the key, and whoever begins one has none yet.
    expect(paths.toSorted()).toEqual(["/api/v1/session", "/health/live", "/health/ready", "/metrics"]);
  });

  it("gives an example of every body that is taken, and it would be taken", () => {
    const needed = document.operations.filter(({ body }) => body !== null && !isNoBody(body));
    expect(needed.length).toBeGreaterThan(25);
    for (const { body, example, operationId } of needed) {
      expect(example, operationId).toBeDefined();
      expect(mismatch(document, body ?? {}, example), operationId).toBeNull();
    }
  });

  it("gives examples of answers that match their own schemas", () => {
    const examples = Object.entries(document.raw.components.schemas).flatMap(([name, { examples: given }]) =>
      Array.isArray(given) ? given.map((example) => ({ name, example })) : [],
    );
    expect(examples.length).toBeGreaterThan(15);
    for (const { name, example } of examples) {
      expect(mismatch(document, { $ref: `#/components/schemas/${name}` }, example), name).toBeNull();
    }
  });

  it.each(ALL_KINDS)("documents the webhook %s with its body, an example of it and its headers", (kind) => {
    const operation = document.raw.webhooks[kind]?.post;
    const { schema, example } = operation?.requestBody?.content["application/json"] ?? {};
    expect(mismatch(document, schema ?? {}, example)).toBeNull();
    expect(example).toMatchObject({ event: kind, data: { eventId: expect.any(String) } });
    expect(mismatch(document, schema ?? {}, { event: kind, data: {} })).not.toBeNull();
    const names = operation?.parameters?.map(({ name }) => name) ?? [];
    expect(names).toEqual(expect.arrayContaining(["X-Service-Signature", "X-Service-Timestamp"]));
  });

  it("says that a body may be left out where none is needed", () => {
    const start = document.operations.find(({ operationId }) => operationId === "startCampaign");
    const create = document.operations.find(({ operationId }) => operationId === "createCampaign");
    expect(start?.bodyRequired).toBe(false);
    expect(create?.bodyRequired).toBe(true);
  });

  it("names no host but the service's own", async () => {
    const api = buildServer(throwingDeps(() => new Error("no work in this test")));
    const page = await api.inject({ url: "/docs/" });
    await api.close();
    expect(page.statusCode).toBe(200);
    expect(page.body.match(/https?:\/\/[^"' ]+/g) ?? []).toEqual([]);
    expect(page.headers["content-security-policy"]).not.toMatch(/https:/);
  });
});

function isNoBody(body: object): boolean {
  const empty = { type: "object", properties: {}, additionalProperties: false };
  return JSON.stringify(body) === JSON.stringify({ anyOf: [empty, { type: "null" }] });
}
