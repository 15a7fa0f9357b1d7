import swagger, { type SwaggerTransform, type SwaggerTransformObject } from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from "fastify-type-provider-zod";
import { z } from "zod";
import { TAGS } from "../contract/route.ts";
import manifest from "../package.json" with { type: "json" };
import type { Api } from "./api.ts";
import {
  documentedErrors,
  documentedHeaders,
  fileBody,
  operationDescription,
  withErrorComponents,
} from "./documented-answers.ts";
import { BODY_EXAMPLE, finishedDocument, HIDDEN_REF, NAMED_QUERY } from "./finished-document.ts";
import { documentedWebhooks } from "./webhooks/documented-webhooks.ts";

const TITLE = "Ringfold";
const DESCRIPTION =
  "Outbound voice calls with assistants: single calls, campaigns, squads and signed webhooks. " +
  "Every answer carries X-Request-Id; every write answers X-Event-Position, which a GET takes as X-Min-Event-Position.";

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
      ...(config?.takesFile === undefined ? {} : { body: fileBody(config.takesFile) }),
      ...(config?.namedQuery === undefined ? {} : { [NAMED_QUERY]: config.namedQuery }),
      description: [operationDescription(schema.summary, facts), schema.description]
        .filter(Boolean)
        .join("\n\n"),
      security: config?.scope === undefined ? [] : [{ apiKey: [] }],
      ...(config?.scope === undefined ? {} : { "x-scope": config.scope }),
      headers: documentedHeaders(facts),
      response: documentedErrors(withHiddenRefs(schema.response), facts),
    },
  };
};

/**
 * @fastify/swagger drops what stands beside a `$ref`, a description for example: there the reference waits
 * under a name of ours until `finishedDocument`.
 */
function withHiddenRefs(schema: unknown): unknown {
  if (schema === undefined) return undefined;
  return JSON.parse(JSON.stringify(schema), (_key, value: unknown) => {
    if (typeof value !== "object" || value === null || !("$ref" in value)) return value;
    const { $ref, ...beside } = value;
    return Object.keys(beside).length === 0 ? value : { [HIDDEN_REF]: $ref, ...beside };
  });
}

/** zod drops examples of schemas with a transform; `finishedDocument` adds this one. */
function withExample(schema: unknown): { readonly [BODY_EXAMPLE]?: unknown } {
  const examples: unknown =
    schema instanceof z.ZodType ? z.globalRegistry.get(schema)?.["examples"] : undefined;
  return Array.isArray(examples) ? { [BODY_EXAMPLE]: examples[0] } : {};
}

const transformObject: SwaggerTransformObject = (documentObject) =>
  finishedDocument(withErrorComponents(zodComponents(documentObject)));

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
