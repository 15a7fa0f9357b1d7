import swagger, { type SwaggerTransform, type SwaggerTransformObject } from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from "fastify-type-provider-zod";
import { z } from "zod";
import manifest from "../package.json" with { type: "json" };
import type { Api } from "./api.ts";
import { withDescriptions } from "./document/with-descriptions.ts";
import {
  documentedErrors,
  documentedHeaders,
  FILE_BODY,
  operationDescription,
  withErrorComponents,
} from "./documented-answers.ts";
import { BODY_EXAMPLE, finishedDocument } from "./finished-document.ts";
import { documentedWebhooks } from "./webhooks/documented-webhooks.ts";

const TITLE = "Ringfold";
const DESCRIPTION =
  "Outbound voice calls with assistants: single calls, campaigns, squads and signed webhooks. " +
  "Every answer carries X-Request-Id; every write answers X-Event-Position, which a GET takes as X-Min-Event-Position.";

const TAGS = {
  calls: "Single calls: start, end, read, listen to. Calls of campaigns are read here as well.",
  campaigns: "Many contacts called with one assistant, within a call window and with retries.",
  squads: "Assistants that hand a conversation over to each other.",
  assistants: "Who speaks: greeting, instructions, voice. A published version never changes.",
  "phone numbers": "The numbers from which calls go out.",
  tools: "What an assistant may ask of other systems during a call.",
  secrets: "Values for the headers of tools. They are written and never read.",
  connections:
    "What an owner brings along: a language model of its own, a database for its tools. Secrets are written and never read.",
  suppressions: "The do-not-call list. It is looked at before every dial.",
  webhooks: "Where events are delivered, signed; deliveries, replays and tests.",
  history: "Every event of the owner's calls, campaigns and squads, as a list or as a stream.",
  account: "Credits, their ledger, and the limits of the plan.",
  "API keys": "Keys of this owner and what they may do.",
  sessions: "Signing in with a browser: a cookie in place of the key.",
  "personal data": "What was said on calls, erased for good.",
  users: "Owners of this installation; for its operator.",
  service: "Health and metrics of a process. No key is needed.",
} as const satisfies Readonly<Record<string, string>>;

const zodTransform = createJsonSchemaTransform({ schemaRegistry: z.globalRegistry });
const zodComponents = createJsonSchemaTransformObject({ schemaRegistry: z.globalRegistry });

/**
 * The document is made from the routes' zod schemas; answers that every route of a kind has are added here.
 */
const transform: SwaggerTransform = (route) => {
  if (route.route.schema?.hide === true) return { schema: route.schema, url: route.url };
  const { schema, url } = zodTransform(route);
  const { config } = route.route;
  const facts = {
    method: String(route.route.method),
    config: config ?? {},
    hasQuery: route.route.schema?.querystring !== undefined,
  };
  return {
    url,
    schema: {
      ...schema,
      ...withExample(route.route.schema?.body),
      ...(config?.takesFile === true ? { body: FILE_BODY } : {}),
      description: [operationDescription(schema.summary, facts), schema.description]
        .filter(Boolean)
        .join("\n\n"),
      security: config?.scope === undefined ? [] : [{ apiKey: [] }],
      ...(config?.scope === undefined ? {} : { "x-scope": config.scope }),
      headers: documentedHeaders(facts),
      response: documentedErrors(schema.response, facts),
    },
  };
};

/** zod drops examples of schemas with a transform; `finishedDocument` adds this one. */
function withExample(schema: unknown): { readonly [BODY_EXAMPLE]?: unknown } {
  const examples: unknown =
    schema instanceof z.ZodType ? z.globalRegistry.get(schema)?.["examples"] : undefined;
  return Array.isArray(examples) ? { [BODY_EXAMPLE]: examples[0] } : {};
}

const transformObject: SwaggerTransformObject = (documentObject) =>
  withDescriptions(finishedDocument(withErrorComponents(zodComponents(documentObject))));

/** Only the page's own files; no other host. */
const DOCS_POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; script-src 'self'; base-uri 'self'; frame-ancestors 'self'; object-src 'none'";

/** OpenAPI 3.1 at /openapi.json, and a page for it at /docs that uses no other host. */
export function registerOpenApi(api: Api): void {
  api.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: TITLE,
        version: manifest.version,
        description: DESCRIPTION,
        contact: { name: "The operator of this installation" },
        license: { name: "MIT", identifier: "MIT" },
      },
      servers: [{ url: "/" }],
      webhooks: documentedWebhooks(),
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: {
          apiKey: { type: "http", scheme: "bearer", description: "Authorization: Bearer <API_KEY>" },
        },
      },
    },
    transform,
    transformObject,
  });
  api.register(swaggerUi, {
    routePrefix: "/docs",
    staticCSP: DOCS_POLICY,
    uiConfig: { deepLinking: true, validatorUrl: null },
  });
}
