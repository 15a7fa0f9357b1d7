import { en } from "./en.ts";
import { tr } from "./tr.ts";

export const TEXTS = { en, tr };
export const ACCOUNT = "/api/v1/account";
export const ERASURES = "/api/v1/erasures";
