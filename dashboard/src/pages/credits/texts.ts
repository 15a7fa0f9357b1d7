import { en } from "./en.ts";
import { tr } from "./tr.ts";

export const TEXTS = { en, tr };
export const ACCOUNT = "/api/v1/account";
export const LEDGER = "/api/v1/account/ledger";
export const LIMITS = "/api/v1/limits";
