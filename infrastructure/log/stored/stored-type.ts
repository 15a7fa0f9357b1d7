import type { z } from "zod";
import type { JsonObject } from "../../../domain/shared/json.ts";

/**
 * A stored version that is no longer written: its schema stays for ever, and `upcast` returns the data in the
 * form of the next version.
 */
export type OlderVersion = {
  readonly schema: z.ZodType<JsonObject>;
  readonly upcast: (data: JsonObject) => JsonObject;
};

/**
 * The stored form of one type. `older[0]` is version 1; the current version is `older.length + 1`. `sealed`:
 * the fields with personal texts, as paths (`greetingMessage`, `message.content`). `?` at the end: the field
 * may be absent, and is absent while it is encrypted; `[]`: a list, which is empty then; any other is null
 * then. `subject`: the field that names whose key encrypts them.
 */
export type StoredType<Data> = {
  readonly schema: z.ZodType<Data>;
  readonly older: readonly OlderVersion[];
  readonly sealed?: readonly string[];
  readonly subject?: SubjectField;
};

/** Default: `callId`. */
export type SubjectField = "callId" | "campaignId";

/** A type with only one version so far. */
export function versionOne<Data>(
  schema: z.ZodType<Data>,
  { sealed = [], subject = "callId" }: Partial<Pick<StoredType<Data>, "sealed" | "subject">> = {},
): StoredType<Data> {
  return { schema, older: [], sealed, subject };
}

export function currentVersion(type: StoredType<unknown>): number {
  return type.older.length + 1;
}
