/** The parts of an OpenAPI document from which the client is made, beside types and methods. */
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

/** Names the body of any webhook `WebhookEvent`: one of those under `webhooks` in the document. */
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

/** Paths whose POST accepts an Idempotency-Key, from the document: `/api/v1/campaigns/{id}/contacts`. */
export function keyedPosts({ paths }: Document): string[] {
  return Object.keys(paths).filter((path) => parameterNames(paths[path]?.["post"]).includes(KEY_HEADER));
}

const KEY_HEADER = "Idempotency-Key";

function parameterNames(operation: unknown): unknown[] {
  const parameters = typeof operation === "object" && operation !== null && "parameters" in operation;
  if (!parameters || !Array.isArray(operation.parameters)) return [];
  return operation.parameters.map((parameter: { readonly name?: unknown }) => parameter.name);
}
