import { en } from "./en.ts";
import { tr } from "./tr.ts";

export const TEXTS = { en, tr };
/** The do-not-call list among the lists of numbers that nobody calls. */
export const OWN_LIST = "spl_default";
export const PATH = "/api/v1/suppressions";
