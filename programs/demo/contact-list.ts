import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ReadingOptions } from "../../api/body/reading-options.ts";
import { readContactsCsv } from "../../api/campaigns/read-contacts-csv.ts";

/** How the import reads a file without settings about it. */
const PLAIN: ReadingOptions = {
  skipDuplicates: false,
  columns: {},
  defaultCountry: null,
  report: "first",
  charset: null,
  said: new Set(),
};

export type ContactList = { readonly name: string; readonly csv: string; readonly rows: number };

/**
 * The header and the first `limit` records of a CSV file (a line break inside quotes does not end a record).
 * A file that the service would refuse is refused here, before anything is started for it.
 */
export async function readContactList(path: string | null, limit: number): Promise<ContactList> {
  const file = path ?? join(import.meta.dirname, "contacts-10k.csv");
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new Error(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  });
  const records = recordsOf(text);
  const kept = records.slice(0, limit + 1);
  const csv = kept.join("");
  const read = readContactsCsv(Buffer.from(csv), PLAIN);
  if (!read.ok) {
    const why = "details" in read ? read.details.map(({ message }) => message).join("; ") : read.kind;
    throw new Error(`${file}: ${why}`);
  }
  return { name: path ?? "contacts-10k.csv", csv, rows: kept.length - 1 };
}

function recordsOf(text: string): string[] {
  const records: string[] = [];
  let record = "";
  for (const line of text.split(/(?<=\n)/)) {
    record += line;
    if ((record.split('"').length - 1) % 2 === 1) continue;
    if (record.trim() !== "") records.push(record);
    record = "";
  }
  return records;
}
