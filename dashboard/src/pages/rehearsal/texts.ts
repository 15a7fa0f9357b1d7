import { en } from "./en.ts";
import { tr } from "./tr.ts";

export const TEXTS = { en, tr };
export const PATH = "/api/v1/rehearsals";
export const REHEARSAL = `${PATH}/:id` as const;
