/** Of an OpenAPI document, what the client is made from beside its types and methods. */
export type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
  readonly webhooks?: Readonly<Record<string, Webhook>>;
};

type Webhook = {
  readonly post: {
    readonly requestBody: { readonly content: { readonly "application/json": { readonly schema: unknown } } };
  };
};

/** Names the body of any webhook `WebhookEvent`: one of those that the document describes under `webhooks`. */
export function withWebhookEvent(document: Document): Document {
  const bodies = Object.values(document.webhooks ?? {}).map(
    ({ post }) => post.requestBody.content["application/json"].schema,
  );
  const schemas = {
    ...document.components.schemas,
    WebhookEvent: bodies.length === 0 ? ANY_WEBHOOK : { oneOf: bodies },
  };
  return { ...document, components: { ...document.components, schemas } };
}

const ANY_WEBHOOK = {
  type: "object",
  required: ["event", "data"],
  properties: { event: { type: "string" }, data: { type: "object", additionalProperties: {} } },
};

/** Paths whose POST takes an Idempotency-Key, as the document says: `/api/v1/campaigns/{id}/contacts`. */
export function keyedPosts({ paths }: Document): string[] {
  return Object.keys(paths).filter((path) => parameterNames(paths[path]?.["post"]).includes(KEY_HEADER));
}

const KEY_HEADER = "Idempotency-Key";

function parameterNames(operation: unknown): unknown[] {
  const parameters = typeof operation === "object" && operation !== null && "parameters" in operation;
  if (!parameters || !Array.isArray(operation.parameters)) return [];
  return operation.parameters.map((parameter: { readonly name?: unknown }) => parameter.name);
}
