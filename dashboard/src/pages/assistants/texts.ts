import { en } from "./en.ts";
import { tr } from "./tr.ts";

export const TEXTS = { en, tr };
export const PATH = "/api/v1/assistants";
export const ASSISTANT = `${PATH}/:id` as const;
