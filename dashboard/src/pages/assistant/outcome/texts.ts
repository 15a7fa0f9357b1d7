import { en } from "./en.ts";
import { tr } from "./tr.ts";

export const TEXTS = { en, tr };
