import type { JsonObject } from "../../domain/shared/json.ts";

/** A contact as the body or the CSV row gave it. */
export type ContactInput = {
  /** Its place in the body (or among the file's records), for the report. */
  readonly index: number;
  /** Line of a CSV record's first character; absent for JSON. */
  readonly line?: number;
  readonly phoneNumber: string;
  readonly name: string | null;
  readonly customData: JsonObject;
  /** A known IANA zone. */
  readonly timezone: string | null;
  readonly externalId: string | null;
};

/** Numbers that stand more than once: how many contacts repeat an earlier one, and the first 100 of them. */
export type DuplicateContacts = {
  readonly count: number;
  readonly items: readonly { readonly index: number; readonly phoneNumber: string }[];
};
