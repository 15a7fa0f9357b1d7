import { readFile } from "node:fs/promises";
import { join } from "node:path";

export type ContactList = { readonly name: string; readonly csv: string; readonly rows: number };

/** The header and the first `limit` records of a CSV file (a line break inside quotes does not end a record). */
export async function readContactList(path: string | null, limit: number): Promise<ContactList> {
  const file = path ?? join(import.meta.dirname, "contacts-10k.csv");
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new Error(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  });
  const records = recordsOf(text);
  const kept = records.slice(0, limit + 1);
  return { name: path ?? "contacts-10k.csv", csv: kept.join(""), rows: kept.length - 1 };
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
