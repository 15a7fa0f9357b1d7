import type { ErrorCode } from "../contract/errors.ts";
import type { IdOf } from "../domain/shared/ids.ts";
import { notFound } from "./errors.ts";

const SUFFIX = /^[0-9a-z]{26}$/;
/** The installation's own connections are named after their kind. */
const CONNECTION_SUFFIX = /^(?:[0-9a-z]{26}|default_[a-z]+)$/;
/** The do-not-call list is one of the lists. */
const LIST_SUFFIX = /^(?:[0-9a-z]{26}|default)$/;

const SUFFIX_OF: Readonly<Partial<Record<keyof IdOf, RegExp>>> = {
  conn: CONNECTION_SUFFIX,
  spl: LIST_SUFFIX,
};

/** Parses an id of that kind; null: it cannot be one. */
export function parseId<Prefix extends keyof IdOf>(prefix: Prefix, text: string): IdOf[Prefix] | null {
  const suffix = SUFFIX_OF[prefix] ?? SUFFIX;
  const fits = text.startsWith(`${prefix}_`) && suffix.test(text.slice(prefix.length + 1));
  return fits ? (text as IdOf[Prefix]) : null;
}

const UNKNOWN = {
  call: ["CALL_NOT_FOUND", "Call"],
  cmp: ["CAMPAIGN_NOT_FOUND", "Campaign"],
  ctc: ["CONTACT_NOT_FOUND", "Contact"],
  sqd: ["SQUAD_NOT_FOUND", "Squad"],
  mbr: ["SQUAD_MEMBER_NOT_FOUND", "Squad member"],
  hnd: ["HANDOFF_NOT_FOUND", "Handoff"],
  ast: ["ASSISTANT_NOT_FOUND", "Assistant"],
  pn: ["PHONE_NUMBER_NOT_FOUND", "Phone number"],
  tool: ["TOOL_NOT_FOUND", "Tool"],
  conn: ["CONNECTION_NOT_FOUND", "Connection"],
  usr: ["USER_NOT_FOUND", "User"],
  key: ["API_KEY_NOT_FOUND", "API key"],
  spl: ["SUPPRESSION_LIST_NOT_FOUND", "Suppression list"],
  dlv: ["DELIVERY_NOT_FOUND", "Delivery"],
  pvf: ["VERIFICATION_NOT_FOUND", "Verification"],
  rhl: ["REHEARSAL_NOT_FOUND", "Rehearsal"],
  run: ["RUN_NOT_FOUND", "Run"],
} as const satisfies Partial<Record<keyof IdOf, readonly [ErrorCode, string]>>;

export type PathPrefix = keyof typeof UNKNOWN;

/** The answer for an unknown id in the path, or another owner's: the same body. */
export function unknownId(prefix: PathPrefix) {
  const [code, noun] = UNKNOWN[prefix];
  return notFound(code, noun);
}

/** An id in the path; text that cannot be one counts as unknown. */
export function pathId<Prefix extends PathPrefix>(prefix: Prefix, text: string): IdOf[Prefix] {
  const id = parseId(prefix, text);
  if (id === null) throw unknownId(prefix);
  return id;
}

/** The found record, or 404. */
export function found<Value>(prefix: PathPrefix, value: Value | null): Value {
  if (value === null) throw unknownId(prefix);
  return value;
}
