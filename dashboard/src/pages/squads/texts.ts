import type { HandoffRecord } from "../../../../contract/handoff.ts";
import { en } from "./en.ts";
import { tr } from "./tr.ts";

export const TEXTS = { en, tr };
export const PATH = "/api/v1/squads";

export const CONTEXT_MODES = [
  "all",
  "last_n",
  "user_and_assistant",
  "previous",
  "none",
] as const satisfies readonly HandoffRecord["contextMode"][];
