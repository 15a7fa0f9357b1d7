import type { ConnectionId } from "../../domain/shared/ids.ts";

/**
 * A way in which a server, or one of its models, wants to be asked otherwise than OpenAI's. Each is found
 * out from a refusal (400 or 422; docs/decisions/0080-answers-are-read-field-by-field.md).
 */
export type Manner =
  /** The limit of an answer under its other name; then no limit. */
  | "other_limit_name"
  | "no_limit"
  | "no_stream_options"
  | "no_stream"
  | "no_temperature"
  | "no_tools"
  /** Schemas of functions without `additionalProperties`. */
  | "open_schemas"
  /** The user speaks first, then the roles take turns. */
  | "roles_take_turns"
  /** The system's text stands in the first message of the user. */
  | "no_system_role"
  /** A message with tool calls has an empty text in place of null. */
  | "empty_text"
  /** What a call brought home is no answer by a JSON schema; then none by a function that must be called. */
  | "no_json_schema"
  | "no_forced_function";

export type Manners = ReadonlySet<Manner>;

/** A refusal of the request: what it names, and its whole text. */
export type Refusal = { readonly param: string | null; readonly text: string };

/** The request that was refused, as far as it matters. */
export type Sent = {
  readonly fields: ReadonlySet<string>;
  readonly hasNullText: boolean;
};

const ROLES =
  /must alternate|role.{0,40}(?:alternat|expected|unexpected)|(?:unexpected|expected).{0,20}role|(?:first|last) message.{0,60}\b(?:user|assistant)\b|(?:start|begin)s? with (?:a |the )?['"]?user/is;
const SYSTEM_ROLE =
  /system.{0,20}(?:role|message|prompt).{0,40}(?:not|un)\s?(?:be )?(?:support|allow)|(?:not|n't) support.{0,20}system/is;
const JSON_SCHEMA = /response_?format|json_?schema|structured.?output|\bschema\b/i;
const FUNCTION = /\btools?\b|tool[_ -]?(?:choice|use|call)|function.?call|\bschema\b/i;
const NOT_SUPPORTED =
  /support|allow|permit|enable|require|unknown|unrecogni[sz]ed|unexpected|extra|unsupported|invalid (?:field|param|argument)/i;

/** What to do otherwise; null: the refusal names nothing that could be left out or changed. */
export function mannerFor({ param, text }: Refusal, sent: Sent, known: Manners): Manner | null {
  const names = (field: string) => sent.fields.has(field) && isNamed(field, param, text);
  const isNew = (manner: Manner) => !known.has(manner);
  if (sent.fields.has("response_format") && isNamedAs(JSON_SCHEMA, /^response_format/, { param, text }))
    return "no_json_schema";
  if (sent.fields.has("tool_choice") && isNamedAs(FUNCTION, /^tool/, { param, text }))
    return "no_forced_function";
  if (names("stream_options")) return "no_stream_options";
  if (names("max_tokens") || names("max_completion_tokens"))
    return isNew("other_limit_name") ? "other_limit_name" : "no_limit";
  if (names("temperature")) return "no_temperature";
  if (/additional_?properties/i.test(text) && sent.fields.has("tools") && isNew("open_schemas"))
    return "open_schemas";
  if (sent.fields.has("tools") && refusesTools(param, text)) return "no_tools";
  if (SYSTEM_ROLE.test(text) && isNew("no_system_role")) return "no_system_role";
  if (ROLES.test(text) && isNew("roles_take_turns")) return "roles_take_turns";
  if (sent.hasNullText && /\bcontent\b/i.test(text)) return "empty_text";
  if (names("stream") && NOT_SUPPORTED.test(text)) return "no_stream";
  return null;
}

function isNamedAs(words: RegExp, name: RegExp, { param, text }: Refusal): boolean {
  return param === null || param === "" ? words.test(text) : name.test(param);
}

/** `param` decides where there is one; else the field's name as a word of the text. */
function isNamed(field: string, param: string | null, text: string): boolean {
  if (param !== null && param !== "") return param === field || param.startsWith(`${field}.`);
  return new RegExp(`(?<![\\w-])${field}(?![\\w-])`).test(text);
}

/** A fault in one function is the owner's to mend: without its tools the assistant would be another one. */
function refusesTools(param: string | null, text: string): boolean {
  if (param === "tools" || param === "tool_choice") return true;
  if (param?.startsWith("tools") === true) return false;
  return (
    /\btools?\b|tool[_ -]?(?:choice|use|call)|function.?call/i.test(text) &&
    NOT_SUPPORTED.test(text) &&
    !/schema/i.test(text)
  );
}

/** Sentences for the check of a connection. */
export const MANNER_WORDS: Readonly<Record<Manner, string>> = {
  other_limit_name: "the other one of max_tokens and max_completion_tokens",
  no_limit: "no limit of tokens",
  no_stream_options: "no stream_options",
  no_stream: "no stream",
  no_temperature: "no temperature",
  no_tools: "no tools: neither tools nor handoffs work with this model",
  open_schemas: "no additionalProperties in schemas of tools",
  roles_take_turns: "the user first, then roles that alternate",
  no_system_role: "the system prompt in the first message of the user",
  no_json_schema: "what a call brought home by a function in place of a JSON schema",
  no_forced_function: "what a call brought home as JSON in words: no function that must be called",
  empty_text: "an empty content in place of null beside tool calls",
};

/** How each connection's models want to be asked, as far as this process has found out. */
export type MannersBook = {
  of(server: string, model: string): Manners;
  learn(server: string, model: string, manners: Manners): void;
  /** Everything that is known of the models of one server. */
  all(server: string): readonly { readonly model: string; readonly manners: Manners }[];
};

/** A connection whose address was changed is another server. */
export function serverName(connectionId: ConnectionId, baseUrl: string): string {
  return `${connectionId} ${baseUrl}`;
}

/** A server may have been changed since: what it refused is asked again after this time. */
const KEPT_MILLIS = 3_600_000;
/** Where the form of an answer is refused, a refusal costs the whole transcript. */
const FORM_KEPT_MILLIS = 24 * KEPT_MILLIS;
const FORMS: ReadonlySet<Manner> = new Set(["no_json_schema", "no_forced_function"]);
const MOST_KEPT = 1_000;
const NONE: Manners = new Set();

/** In memory: a restart, or another process, costs one more refused question. */
export function mannersBook(now: () => number = () => performance.now()): MannersBook {
  type Page = {
    readonly server: string;
    readonly model: string;
    /** Each with the time at which it was found out or seen last. */
    readonly since: ReadonlyMap<Manner, number>;
  };
  const pages = new Map<string, Page>();
  const keyOf = (server: string, model: string) => JSON.stringify([server, model]);
  const isFresh = ([manner, since]: [Manner, number]) =>
    now() - since < (FORMS.has(manner) ? FORM_KEPT_MILLIS : KEPT_MILLIS);
  const freshOf = ({ since }: Page): Manners => new Set([...since].filter(isFresh).map(([manner]) => manner));
  const known = (server: string, model: string): Manners => {
    const page = pages.get(keyOf(server, model));
    return page === undefined ? NONE : freshOf(page);
  };
  return {
    of: known,
    learn(server, model, manners) {
      const all = new Set([...known(server, model), ...manners]);
      const key = keyOf(server, model);
      pages.delete(key);
      pages.set(key, { server, model, since: new Map([...all].map((manner) => [manner, now()])) });
      const [oldest] = pages.keys();
      if (pages.size > MOST_KEPT && oldest !== undefined) pages.delete(oldest);
    },
    all: (server) =>
      [...pages.values()]
        .filter((page) => page.server === server)
        .map((page) => ({ model: page.model, manners: freshOf(page) }))
        .filter(({ manners }) => manners.size > 0),
  };
}
