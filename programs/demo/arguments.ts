import { parseArgs } from "node:util";

export type DemoArguments = { readonly contacts: number; readonly csv: string | null };

/** `-- --contacts N --csv file`; a mistake ends in one line that names it. */
export function demoArguments(given: readonly string[]): DemoArguments {
  const { values } = parseArgs({
    args: [...given],
    options: { contacts: { type: "string", default: "300" }, csv: { type: "string" } },
  });
  const contacts = Number(values.contacts);
  if (!Number.isInteger(contacts) || contacts < 1 || contacts > 10_000) {
    throw new Error(`--contacts takes a whole number from 1 to 10000, not "${values.contacts}"`);
  }
  return { contacts, csv: values.csv ?? null };
}
