import type { Migration } from "kysely/migration";
import { configuration } from "./0002-configuration.ts";
import { work } from "./0003-work.ts";

/** Every migration by its name; they run in the order of their names. A part adds its own line here. */
export const migrations: Readonly<Record<string, Migration>> = {
  "0002-configuration": configuration,
  "0003-work": work,
};
