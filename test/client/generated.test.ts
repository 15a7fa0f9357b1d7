import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { clientOf, generatedClient } from "../../client/generated-client.ts";

it("is what the document of this release makes (npm run client:generate)", async () => {
  const file = join(import.meta.dirname, "../../client/generated/ringfold-api.ts");
  expect(readFileSync(file, "utf8")).toBe(await generatedClient());
});

const EMPTY = {
  openapi: "3.1.0",
  info: { title: "T", version: "1" },
  paths: {},
  components: { schemas: {} },
};

it("knows every webhook that the document describes, by its kind", async () => {
  const body = (kind: string) => ({
    type: "object",
    required: ["event", "data"],
    properties: { event: { const: kind }, data: { $ref: "#/components/schemas/Data" } },
  });
  const webhook = (schema: object) => ({
    post: { requestBody: { content: { "application/json": { schema } } } },
  });
  const document = {
    ...EMPTY,
    components: {
      schemas: {
        Data: { type: "object", required: ["eventId"], properties: { eventId: { type: "string" } } },
        CampaignPaused: body("campaign.paused"),
      },
    },
    webhooks: {
      "call.ended": webhook(body("call.ended")),
      "campaign.paused": webhook({ $ref: "#/components/schemas/CampaignPaused" }),
    },
  };
  const types = (await clientOf(document)).replaceAll(/\s+/g, " ");
  expect(types).toContain(
    'export type WebhookEvent = | { event: "call.ended"; data: Data; } | CampaignPaused;',
  );
});

it("puts what stands in a path into one segment, and knows which POST takes a key", async () => {
  const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
  const key = { name: "Idempotency-Key", in: "header", schema: { type: "string" } };
  const answer = { responses: { 200: { description: "Done" } } };
  const document = {
    ...EMPTY,
    paths: {
      "/things/{id}": { post: { operationId: "change", parameters: [id, key], ...answer } },
      "/others": { post: { operationId: "start", ...answer } },
    },
  };
  const text = await clientOf(document);
  expect(text).toMatch(/path: `\/things\/\$\{encodeURIComponent\(id\)\}`/);
  expect(text).toContain('KEYED_POSTS: readonly string[] = [\n  "/things/{id}",\n];');
});
