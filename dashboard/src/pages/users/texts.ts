import type { IssuedApiKey } from "../../../../contract/api-key.ts";
import { en } from "./en.ts";
import { tr } from "./tr.ts";

export const TEXTS = { en, tr };
export const PATH = "/api/v1/users";

/** `key` is in the first answer only. */
export type NewKey = Pick<IssuedApiKey, "key">;
