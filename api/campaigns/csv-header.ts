import { textProblem } from "../body/refused-values.ts";

/** Where everything stands in a row of a contact file. */
export type CsvHeader = {
  readonly width: number;
  readonly phone: number;
  readonly name: number | null;
  readonly custom: readonly { readonly key: string; readonly column: number }[];
};

const MAX_COLUMNS = 500;

/** phone and name in any case; every other column is a customData key as it is written; columns without a name are passed over. */
export function readHeader(
  cells: readonly string[],
): { readonly ok: true; readonly header: CsvHeader } | { readonly ok: false; readonly message: string } {
  if (cells.length > MAX_COLUMNS) return { ok: false, message: `Has more than ${MAX_COLUMNS} columns` };
  const columns = cells.map((cell, column) => ({ key: cell.trim(), column }));
  const named = columns.filter(({ key }) => key !== "");
  const role = (key: string) => key.toLowerCase();
  const withRole = (wanted: string) => named.filter(({ key }) => role(key) === wanted);

  const refused = named.find(({ key }) => key === "__proto__" || textProblem(key) !== null);
  if (refused !== undefined)
    return { ok: false, message: `Column ${refused.column + 1} has a name that is not allowed` };
  const [phone, otherPhone] = withRole("phone");
  const [name, otherName] = withRole("name");
  if (phone === undefined) return { ok: false, message: missingPhone(named.map(({ key }) => key)) };
  if (otherPhone !== undefined || otherName !== undefined) {
    return { ok: false, message: `The column ${otherPhone === undefined ? "name" : "phone"} stands twice` };
  }
  const custom = named.filter(({ key }) => role(key) !== "phone" && role(key) !== "name");
  const repeated = custom.find(({ key }, place) => custom.findIndex((other) => other.key === key) < place);
  if (repeated !== undefined) return { ok: false, message: `The column ${repeated.key} stands twice` };
  return {
    ok: true,
    header: { width: cells.length, phone: phone.column, name: name?.column ?? null, custom },
  };
}

function missingPhone(names: readonly string[]): string {
  const shown = names.slice(0, 20).map((name) => name.slice(0, 50));
  return `The column phone is missing; the header has ${shown.length === 0 ? "no columns" : shown.join(", ")}`;
}
