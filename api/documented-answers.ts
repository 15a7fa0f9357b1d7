import type { ProblemDetail } from "../application/outcome.ts";
import { type DocumentedCode, type ErrorCode, isErrorCode, STATUS_OF } from "../contract/errors.ts";
import { SUCCESS } from "../contract/fields.ts";
import { ANY_SCOPE } from "../contract/scopes.ts";

/**
 * What the document has beside the routes' own schemas: error answers and headers that follow
 * from the kind of route.
 */
export type RouteFacts = {
  readonly method: string;
  readonly config: {
    readonly scope?: string;
    readonly errors?: readonly DocumentedCode[];
    readonly plainErrors?: boolean;
    readonly idempotent?: boolean;
    readonly replacesVersion?: boolean;
    readonly bodySchema?: string;
    readonly takesFile?: true | "alone";
  };
  readonly hasQuery: boolean;
};

const NEEDS_KEY: readonly ErrorCode[] = [
  "UNAUTHORIZED",
  "FORBIDDEN",
  "RATE_LIMIT_EXCEEDED",
  "INTERNAL_ERROR",
  "NOT_READY",
];
const TAKES_BODY: readonly ErrorCode[] = [
  "VALIDATION_ERROR",
  "INVALID_JSON",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
];

/** Any request can be refused for its headers; routes without a key have no other documented refusals. */
const OPEN: readonly ErrorCode[] = ["HEADERS_TOO_LARGE"];

type DocumentedError = { readonly code: string; readonly status: number };

/** The error answers of a route, by status. */
export function errorsOf({ method, config, hasQuery }: RouteFacts): DocumentedError[] {
  const codes = new Set<DocumentedCode>(config.errors ?? []);
  const add = (more: readonly ErrorCode[]) => more.forEach((code) => void codes.add(code));
  add(config.scope === undefined ? OPEN : NEEDS_KEY);
  if (config.scope === ANY_SCOPE) codes.delete("FORBIDDEN");
  if (config.scope !== undefined && method !== "GET") add(["CROSS_SITE"]);
  if (config.scope !== undefined && method === "GET") add(["READ_MODEL_BEHIND", "VALIDATION_ERROR"]);
  if (config.bodySchema !== undefined) add(TAKES_BODY);
  if (config.takesFile !== undefined)
    add(["VALIDATION_ERROR", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"]);
  if (hasQuery) add(["VALIDATION_ERROR"]);
  if (config.idempotent === true) add(["IDEMPOTENCY_CONFLICT", "VALIDATION_ERROR"]);
  return [...codes].map(documentedError).sort((a, b) => a.status - b.status);
}

function documentedError(documented: DocumentedCode): DocumentedError {
  const [code = documented] = documented.split("@");
  return { code, status: isErrorCode(documented) ? STATUS_OF[documented] : 400 };
}

/** The summary, and the requirements of every route of its kind. */
export function operationDescription(summary: unknown, { method, config }: RouteFacts): string {
  const sentences = [`${String(summary)}.`];
  sentences.push(keySentence(config.scope));
  if (config.idempotent === true)
    sentences.push("With an Idempotency-Key the same request is carried out once.");
  if (config.scope !== undefined && method === "GET")
    sentences.push("X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.");
  return sentences.join(" ");
}

function keySentence(scope: string | undefined): string {
  if (scope === undefined) return "Needs no key.";
  return scope === ANY_SCOPE ? "Needs a key, of any scope." : `Needs a key with the scope \`${scope}\`.`;
}

/** Only the outbound start answers a plain message instead of an object. */
const PLAIN = "PlainError";

export function documentedErrors(successes: unknown, facts: RouteFacts): Record<string, unknown> {
  const documented: Record<string, unknown> = {};
  for (const [status, answer] of Object.entries(asObject(successes))) {
    documented[status] = { ...described(answer), headers: headersOf(facts) };
  }
  const errors = errorsOf(facts);
  for (const status of new Set(errors.map((error) => error.status))) {
    const here = errors.filter((error) => error.status === status).map(({ code }) => code);
    if (documented[status] !== undefined) continue;
    documented[status] = errorAnswer(here, status === 400 && facts.config.plainErrors === true);
  }
  return documented;
}

function errorAnswer(codes: readonly string[], orPlain: boolean) {
  const error = { $ref: "#/components/schemas/Error" };
  const schema = orPlain ? { oneOf: [error, { $ref: `#/components/schemas/${PLAIN}` }] } : error;
  return {
    description: codes.join(", "),
    headers: namedHeaders(["X-Request-Id"]),
    content: {
      "application/json": {
        schema,
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
      },
    },
  };
}

function exampleOf(code: string) {
  const details = EXAMPLE_DETAILS[code];
  return {
    success: false,
    error: {
      code,
      message: EXAMPLE_MESSAGES[code] ?? code.toLowerCase().replaceAll("_", " "),
      ...(details === undefined ? {} : { details }),
    },
  };
}

const EXAMPLE_DETAILS: Readonly<Record<string, readonly ProblemDetail[]>> = {
  VALIDATION_ERROR: [{ path: ["name"], message: "Required" }],
  POLICY_REFUSED: [
    {
      path: ["attemptsPerNumber"],
      message: "At most 2 dials a day: 2 so far; allowed from 2026-11-28T06:00Z on",
      until: "2026-11-28T06:00:00.000Z",
    },
  ],
};

const EXAMPLE_MESSAGES: Readonly<Record<string, string>> = {
  VALIDATION_ERROR: "The request body has 1 problem; see details",
  POLICY_REFUSED: "The policy (version 3) does not allow it; see details",
  UNAUTHORIZED: "Send a valid API key as Authorization: Bearer <API_KEY>",
  CAMPAIGN_INVALID_STATE: "The campaign is COMPLETED",
};

function headersOf({ config }: RouteFacts): Record<string, unknown> {
  const names = ["X-Request-Id"];
  if (config.scope !== undefined) names.push("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset");
  if (config.scope !== undefined) names.push("X-Event-Position");
  if (config.idempotent === true) names.push("Idempotent-Replayed");
  return namedHeaders(names);
}

/** The success schemas of the routes, with an example taken from their component. */
function described(answer: unknown): Record<string, unknown> {
  const given = asObject(answer);
  if ("content" in given || "description" in given) return { description: "Done", ...given };
  return { description: "Done", content: { "application/json": { schema: given } } };
}

/** Documented request headers. */
export function documentedHeaders({ method, config }: RouteFacts): Record<string, unknown> | undefined {
  if (config.scope === undefined) return undefined;
  const properties: Record<string, unknown> = {};
  if (config.idempotent === true) {
    properties["Idempotency-Key"] = {
      type: "string",
      pattern: "^[\\x21-\\x7e]{1,255}$",
      description: "The same key with the same body answers as the first time, for 24 h",
    };
  }
  if (config.replacesVersion === true) {
    properties["If-Match"] = {
      type: "string",
      pattern: '^(\\d{1,15}|"\\d{1,15}")$',
      description: "The version that is replaced; 409 where there is another one by now",
    };
  }
  if (method === "GET") {
    properties["X-Min-Event-Position"] = {
      type: "string",
      description: "Waits until the read models have come to this X-Event-Position (2 s at most)",
    };
  }
  return Object.keys(properties).length === 0 ? undefined : { type: "object", properties };
}

/**
 * POST /campaigns/import: the only body that is not JSON. The form comes first, because client generators
 * take the first of several.
 */
export function fileBody(takesFile: true | "alone") {
  const settings = { type: "string", description: "The body of POST /campaigns without contacts, as JSON" };
  const beside = takesFile === "alone" ? {} : { settings };
  return {
    content: {
      "multipart/form-data": {
        schema: {
          type: "object",
          required: ["file", ...Object.keys(beside)],
          properties: {
            ...beside,
            file: {
              type: "string",
              format: "binary",
              description: "The CSV file, with its column names in the first line",
            },
          },
        },
      },
      "text/csv": {
        schema: {
          type: "string",
          description: takesFile === "alone" ? "The file" : "The file; settings stand in the query",
        },
      },
    },
  };
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

const HEADERS: Readonly<Record<string, object>> = {
  "X-Request-Id": { type: "string", description: "The request's own, or one that was drawn" },
  "X-Event-Position": {
    type: "string",
    description:
      "Of a write its position in the log; of a GET that answers JSON how far it reaches: every event of the owner up to it is in the answer, later ones may be",
  },
  "Idempotent-Replayed": { type: "string", description: "true: this is the first answer again" },
  "RateLimit-Limit": { type: "integer", description: "Burst of this key" },
  "RateLimit-Remaining": { type: "integer", description: "What is left of it" },
  "RateLimit-Reset": { type: "integer", description: "Seconds until it is whole again" },
};

function namedHeaders(names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, HEADERS[name]]));
}

const FALSE = { description: SUCCESS, const: false };

const ERROR_COMPONENTS = {
  schemas: {
    Error: {
      type: "object",
      required: ["success", "error"],
      additionalProperties: false,
      properties: {
        success: FALSE,
        error: {
          description: "Why it was refused",
          type: "object",
          required: ["code", "message"],
          additionalProperties: false,
          properties: {
            code: {
              description: "Name of the problem, for programs",
              type: "string",
              enum: Object.keys(STATUS_OF),
            },
            message: { description: "The problem in words, for people", type: "string" },
            details: {
              description:
                "With VALIDATION_ERROR: every problem of the request, the first 100. With POLICY_REFUSED: every rule that refuses",
              type: "array",
              maxItems: 100,
              items: {
                type: "object",
                required: ["path", "message"],
                additionalProperties: false,
                properties: {
                  path: {
                    description:
                      "Where in the request: names of fields and places in lists, counted from 0; with POLICY_REFUSED the name of the rule",
                    type: "array",
                    items: { type: ["string", "integer"] },
                  },
                  message: { description: "What is wrong there", type: "string" },
                  until: {
                    description:
                      "Only with POLICY_REFUSED: when the rule allows it again; ISO 8601, UTC; null: not known",
                    type: ["string", "null"],
                    format: "date-time",
                  },
                },
              },
            },
          },
        },
      },
    },
    PlainError: {
      type: "object",
      required: ["success", "error"],
      additionalProperties: false,
      properties: { success: FALSE, error: { description: "The problem in words", type: "string" } },
    },
  },
};

/** The two error shapes, which are not in the routes' schemas. */
export function withErrorComponents<Document extends object>(document: Document): Document {
  const { components } = { components: {}, ...document };
  const { schemas } = { schemas: {}, ...components };
  return {
    ...document,
    components: {
      ...components,
      schemas: { ...schemas, ...ERROR_COMPONENTS.schemas },
    },
  };
}
