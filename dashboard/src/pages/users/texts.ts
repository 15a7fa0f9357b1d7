import { en } from "./en.ts";
import { tr } from "./tr.ts";

export const TEXTS = { en, tr };
export const PATH = "/api/v1/users";

export type User = {
  readonly id: string;
  readonly name: string;
  readonly plan: { readonly maxConcurrentCalls: number; readonly maxCallsPerSecond: number };
  readonly active: boolean;
  readonly createdAt: string;
};

/** `key` is in the first answer only. */
export type NewKey = { readonly key: string | null };
