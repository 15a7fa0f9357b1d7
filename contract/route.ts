import type { z } from "zod";
import type { DocumentedCode } from "./errors.ts";
import type { ANY_SCOPE, ApiKeyScope } from "./scopes.ts";

/** What the operations are about, in the document's order. */
export const TAGS = {
  calls: "Single calls: start, end, read, listen to. Calls of campaigns are read here as well.",
  campaigns: "Many contacts called with one assistant, within a call window and with retries.",
  squads: "Assistants that hand a conversation over to each other.",
  assistants: "Who speaks: greeting, instructions, voice. A published version never changes.",
  rehearsals: "What an assistant would say, played before it says it to people. Nobody is called.",
  "phone numbers": "The numbers from which calls go out.",
  tools: "What an assistant may ask of other systems during a call.",
  secrets: "Values for the headers of tools. They are written and never read.",
  connections:
    "What an owner brings along: a language model of its own, a database for its tools. Secrets are written and never read.",
  suppressions: "The do-not-call list. It is looked at before every dial.",
  policy: "Who may be called, by rules for all campaigns and single calls; every dial is judged by it.",
  webhooks: "Where events are delivered, signed; deliveries, replays and tests.",
  history: "Every event of the owner's calls, campaigns and squads, as a list or as a stream.",
  account: "Credits, their ledger, and the limits of the plan.",
  "API keys": "Keys of this owner and what they may do.",
  sessions: "Signing in with a browser: a cookie in place of the key.",
  "personal data": "What was said on calls, erased for good.",
  users: "Owners of this installation; for its operator.",
  service: "Health and metrics of a process. No key is needed.",
} as const satisfies Readonly<Record<string, string>>;

/** An answer that is not JSON. */
export type FileAnswer = {
  readonly description: string;
  readonly content: Readonly<Record<string, { readonly schema: z.ZodType }>>;
};

/** One operation of the API. `api` registers it, the document and the client say it. */
export type Route = {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `:name` in it is a parameter. */
  readonly path: `/${string}`;
  /** What names in the path are, where PATH_PARAMETERS does not fit. */
  readonly params?: Readonly<Record<string, string>>;
  readonly tag: keyof typeof TAGS;
  /** What it does, in a line without a full stop. */
  readonly summary: string;
  /** More about it. */
  readonly description?: string;
  /** The scope that a key needs; any: every key. Absent: no key is needed. */
  readonly scope?: ApiKeyScope | typeof ANY_SCOPE;
  /** Under /api/v1 without a key: the route handles sessions itself. */
  readonly ownSession?: true;
  readonly query?: z.ZodType;
  /** Names that begin so are taken in the query, too; `description` says what they are. */
  readonly namedQuery?: "outcome.";
  readonly body?: z.ZodType;
  /** By status. */
  readonly answers: Readonly<Record<number, z.ZodType | FileAnswer>>;
  /** Codes beyond those of every route of its kind. */
  readonly errors?: readonly DocumentedCode[];
  /** 400 may be the seed's plain message. */
  readonly plainErrors?: true;
  /** Statuses that are no line of the log, of a method that may change something: a trial, a check. */
  readonly quietAt?: readonly number[];
  /** Accepts an Idempotency-Key. */
  readonly idempotent?: true;
  /** Accepts If-Match with the version that the body replaces. */
  readonly replacesVersion?: true;
  /** Accepts a CSV file instead of JSON; alone: without settings beside it. */
  readonly takesFile?: true | "alone";
  /** Of its body, where they are not 16 MiB. */
  readonly mostBytes?: number;
  /** May answer megabytes, whatever its `limit` says. */
  readonly answersMuch?: true;
  /** Sends server-sent events on request. */
  readonly streamsEvents?: true;
};

/** The table of a noun: by operationId, which each route then carries. */
export function routes<const Table extends Readonly<Record<string, Route>>>(
  table: Table,
): { readonly [Name in keyof Table]: Table[Name] & { readonly operationId: Name } } {
  const named = Object.entries(table).map(([operationId, route]) => [operationId, { ...route, operationId }]);
  return Object.fromEntries(named);
}

/** Names of the parameters in a path: `"/calls/:callId"` has `"callId"`. */
export type PathParams<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathParams<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** What the parameters of paths are, by name. */
export const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  id: "Id of the record",
  callId: "Id of the call",
  contactId: "Id of the contact",
  handoffId: "Id of the handoff",
  memberId: "Id of the member",
  runId: "Id of the run",
  toolId: "Id of the tool",
  name: "Name of the secret: A-Z, 0-9 and _",
  phoneNumber: "The number, E.164, with its + as %2B or as it is",
};

/** The names in a path, in its order. */
export const paramsOf = (path: string): string[] =>
  [...path.matchAll(/:(\w+)/g)].flatMap(([, name]) => name ?? []);

/** What they are called where a caller names them: `/campaigns/:id/contacts` takes a `campaignId`. */
export const argumentsOf = (path: string): string[] =>
  paramsOf(path).map((name) => (name === "id" ? `${nounBefore(path)}Id` : name));

/** `/phone-numbers/:id` → `phoneNumber`. */
function nounBefore(path: string): string {
  const plural = /([\w-]+)\/:id\b/.exec(path)?.[1] ?? "";
  const noun = plural.replace(/ies$/, "y").replace(/s$/, "");
  return noun.replaceAll(/-(\w)/g, (_whole, letter: string) => letter.toUpperCase());
}

/** An answer with a file of this media type. */
export const file = (mediaType: string, description: string, schema: z.ZodType): FileAnswer => ({
  description,
  content: { [mediaType]: { schema } },
});
