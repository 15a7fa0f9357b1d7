import type { DataOf, RouteAt } from "../../../../contract/asking.ts";
import layout from "../../ui/layout.module.css";
import { en } from "./en.ts";
import { tr } from "./tr.ts";

export const TEXTS = { en, tr };
/** What stands below each other within a section. */
export const STACK = `${layout.stack} ${layout.wide}`;
export const VERSIONS = "/api/v1/policy/versions";

/** A version of the policy, or that there is none yet: version 0. */
export type PolicyAnswer = DataOf<RouteAt<"GET", "/api/v1/policy">>;
