import type { z } from "zod";
import type { JsonObject } from "../../../domain/shared/json.ts";

/** A stored version that is written no more: its schema stays for ever, `upcast` answers the data as the next version would have written it. */
export type OlderVersion = {
  readonly schema: z.ZodType<JsonObject>;
  readonly upcast: (data: JsonObject) => JsonObject;
};

/**
 * How one type stands in the log. `older[0]` is version 1; what is written now has version `older.length + 1`. `sealed`: the fields that hold personal
 * words, as paths (`greetingMessage`, `message.content`); `?` at the end: a field that may be absent, and is while it is sealed; any other is null then.
 */
export type StoredType<Data> = {
  readonly schema: z.ZodType<Data>;
  readonly older: readonly OlderVersion[];
  readonly sealed?: readonly string[];
};

/** A type that has had one version so far. */
export function versionOne<Data>(
  schema: z.ZodType<Data>,
  { sealed = [] }: { readonly sealed?: readonly string[] } = {},
): StoredType<Data> {
  return { schema, older: [], sealed };
}

export function currentVersion(type: StoredType<unknown>): number {
  return type.older.length + 1;
}
