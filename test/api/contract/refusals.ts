import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Api } from "../../../api/api.ts";
import type { ApiDeps } from "../../../api/deps.ts";
import { buildServer } from "../../../api/server.ts";
import { EventStoreError } from "../../../application/ports/event-store.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import { type Document, loadDocument, mismatch, type Operation } from "../support/document.ts";
import { configurationThat, throwingDeps } from "../support/inert-deps.ts";

type Refusal = {
  readonly status: number;
  readonly code: string;
  readonly of: (operation: Operation) => boolean;
  readonly deps?: () => Partial<ApiDeps>;
  readonly thrown?: () => Error;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly query?: string;
  /** Requests before the one that counts. */
  readonly before?: number;
};

const versioned = ({ scope }: Operation) => scope !== null;
const ofOneScope = ({ scope }: Operation) => scope !== null && scope !== "any";
const hasBody = ({ bodyTypes }: Operation) => bodyTypes.length > 0;
const takesJson = ({ body }: Operation) => body !== null;
const isGet = ({ method }: Operation) => method === "GET";
const withoutScopes = () => ({
  configuration: configurationThat(
    () => new Error("not to be reached"),
    async () => ({ owner: systemIds.next("usr"), keyId: systemIds.next("key"), scopes: [] }),
  ),
});

/** What follows from the kind of a route, asked of every route of that kind. */
const REFUSALS: readonly Refusal[] = [
  { status: 401, code: "UNAUTHORIZED", of: versioned, headers: { authorization: "Basic abc" } },
  { status: 403, code: "FORBIDDEN", of: ofOneScope, deps: withoutScopes },
  {
    status: 429,
    code: "RATE_LIMIT_EXCEEDED",
    of: versioned,
    deps: () => ({ settings: { rateLimit: { perSecond: 0.001, burst: 1 } } }),
    before: 1,
  },
  {
    status: 413,
    code: "PAYLOAD_TOO_LARGE",
    of: hasBody,
    headers: { "content-length": String(128 * 1024 * 1024 + 1) },
  },
  {
    status: 415,
    code: "UNSUPPORTED_MEDIA_TYPE",
    of: hasBody,
    headers: { "content-type": "application/xml" },
    body: "<xml/>",
  },
  { status: 400, code: "INVALID_JSON", of: takesJson, body: '{"name": ' },
  {
    status: 400,
    code: "VALIDATION_ERROR",
    of: (operation) => versioned(operation) && isGet(operation),
    headers: { "x-min-event-position": "not a position" },
  },
  {
    status: 400,
    code: "VALIDATION_ERROR",
    of: ({ idempotent }) => idempotent,
    headers: { "idempotency-key": "two words" },
  },
  {
    status: 409,
    code: "IDEMPOTENCY_CONFLICT",
    of: ({ idempotent }) => idempotent,
    headers: { "idempotency-key": "k" },
    deps: () => ({ idempotency: { begin: async () => ({ kind: "conflict" }) } }),
  },
  { status: 500, code: "INTERNAL_ERROR", of: versioned, thrown: () => new Error("a secret of ours") },
  {
    status: 503,
    code: "NOT_READY",
    of: versioned,
    thrown: () => new EventStoreError({ kind: "unavailable", cause: "away" }),
  },
];

/** Asks every route for every refusal of its kind; `seen` hears what was answered. */
export function refusals(seen: Set<string>): void {
  describe.each(REFUSALS)("$status $code", (refusal) => {
    let document: Document;
    let api: Api;
    beforeAll(async () => {
      document = await loadDocument();
      const deps = throwingDeps(refusal.thrown ?? (() => new Error("not to be reached")));
      api = buildServer({ ...deps, ...asked(deps), ...refusal.deps?.() });
      await api.ready();
    });
    afterAll(() => api.close());

    /** Positions are judged before anything is read. */
    const asked = (deps: ApiDeps): Partial<ApiDeps> => ({
      clock: systemClock,
      queries: new Proxy(deps.queries, {
        get: (target, name) => (name === "parsePosition" ? () => null : Reflect.get(target, name)),
      }),
    });

    it("is the answer of every route of its kind, in its shape", async () => {
      const operations = document.operations.filter(refusal.of);
      expect(operations.length).toBeGreaterThan(10);
      for (const operation of operations) {
        for (let count = 0; count < (refusal.before ?? 0); count += 1) await send(api, operation, refusal);
        const { statusCode, body } = await send(api, operation, refusal);
        const name = `${operation.operationId}: ${body}`;
        expect(statusCode, name).toBe(refusal.status);
        expect(JSON.parse(body).error.code, name).toBe(refusal.code);
        expect(body, name).not.toContain("a secret of ours");
        const schema = operation.answers.get(refusal.status);
        expect(schema, `${operation.operationId} lists ${refusal.status}`).toBeDefined();
        expect(mismatch(document, schema ?? {}, JSON.parse(body)), name).toBeNull();
        seen.add(`${operation.operationId} ${statusCode}`);
      }
    });
  });
}

const ID_OF_PARAMETER: Readonly<Record<string, string>> = {
  callId: systemIds.next("call"),
  contactId: systemIds.next("ctc"),
  memberId: systemIds.next("mbr"),
  handoffId: systemIds.next("hnd"),
  toolId: systemIds.next("tool"),
  runId: systemIds.next("run"),
  name: "SHOP_KEY",
  phoneNumber: "+905321112233",
};

const ID_OF_RESOURCE: Readonly<Record<string, string>> = {
  campaigns: systemIds.next("cmp"),
  squads: systemIds.next("sqd"),
  assistants: systemIds.next("ast"),
  "phone-numbers": systemIds.next("pn"),
  "suppression-lists": systemIds.next("spl"),
  policy: systemIds.next("pvf"),
  rehearsals: systemIds.next("rhl"),
  "api-keys": systemIds.next("key"),
  connections: systemIds.next("conn"),
  users: systemIds.next("usr"),
  webhook: systemIds.next("dlv"),
};

function send(api: Api, operation: Operation, { headers, body, query }: Refusal) {
  const resource = operation.path.split("/")[3] ?? "";
  const url = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(ID_OF_PARAMETER[name] ?? ID_OF_RESOURCE[resource] ?? name),
  );
  const file = operation.bodyTypes.includes("text/csv");
  const payload = body ?? (file ? "phone\n+905321112233" : bodyOf(operation));
  const search = file
    ? `?settings=${encodeURIComponent(JSON.stringify(SETTINGS))}`
    : (query ?? requiredQuery(operation));
  const carriesBody = operation.method !== "GET" && payload !== undefined;
  return api.inject({
    method: operation.method as "GET",
    url: `${url}${search}`,
    headers: {
      authorization: "Bearer any",
      ...(carriesBody ? { "content-type": file ? "text/csv" : "application/json" } : {}),
      ...headers,
    },
    ...(carriesBody ? { payload } : {}),
  });
}

/** What an operation cannot be asked without. */
function requiredQuery({ parameters }: Operation): string {
  const names = parameters.filter((each) => each.in === "query" && each.required).map(({ name }) => name);
  return names.length === 0 ? "" : `?${names.map((name) => `${name}=abc`).join("&")}`;
}

/** The document's own example, with the item named that the path does not. */
function bodyOf({ example, operationId }: Operation): string | undefined {
  if (operationId === "changeSquadMember") return JSON.stringify({ memberId: ID_OF_PARAMETER["memberId"] });
  if (operationId === "changeHandoff") return JSON.stringify({ handoffId: ID_OF_PARAMETER["handoffId"] });
  if (operationId === "replayRange") {
    const now = systemClock.nowMillis();
    const at = (before: number) => new Date(now - before).toISOString();
    return JSON.stringify({ from: at(60_000), to: at(0) });
  }
  return example === undefined ? undefined : JSON.stringify(example);
}

const SETTINGS = { name: "A campaign", phoneNumberId: "pn_x", assistantId: "ast_x" };
