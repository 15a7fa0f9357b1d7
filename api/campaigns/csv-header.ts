import type { ColumnRole } from "../../contract/campaign-import.ts";
import { CURRENT_RULE, foldOf } from "../../domain/campaign/texts/text-template.ts";
import { beginningOf } from "../../domain/shared/storable-text.ts";
import type { NamedColumns } from "../body/reading-options.ts";
import { textProblem } from "../body/refused-values.ts";
import { MissingColumn, UnreadableFile } from "./unreadable-file.ts";

/** Columns of a contact file by meaning. */
export type CsvHeader = {
  readonly width: number;
  readonly phone: number;
  readonly name: number | null;
  readonly timezone: number | null;
  readonly externalId: number | null;
  /** null: the caller named none; of the four, expiry and reference may be missing. */
  readonly consent: ConsentColumns | null;
  readonly custom: readonly Column[];
};

export type ConsentColumns = {
  readonly source: number;
  readonly at: number;
  readonly expiresAt: number | null;
  readonly reference: number | null;
};

type Column = { readonly key: string; readonly column: number };
const MAX_COLUMNS = 500;
/** Used only when no column is called phone; `_` and `-` count as spaces. */
const OTHER_PHONE_NAMES = ["phone number", "phonenumber", "tel", "telefon"];

/**
 * The columns that `named` names, else phone and name in any case. Every other column is a customData key
 * as written, including those of the time zone, the external id and the consent. Columns without a name are
 * ignored. Of columns with the same name the first has the key and the others a number with it (`Email (2)`);
 * that is refused only if a text of the campaign says that value. Throws UnreadableFile.
 */
export function readHeader(
  cells: readonly string[],
  named: NamedColumns,
  said: ReadonlySet<string> = new Set(),
): CsvHeader {
  if (cells.length > MAX_COLUMNS) throw new UnreadableFile(`Has more than ${MAX_COLUMNS} columns`);
  const columns = cells.map((cell, column) => ({ key: cell.trim(), column })).filter(({ key }) => key !== "");
  const refused = columns.find(({ key }) => key === "__proto__" || textProblem(key) !== null);
  if (refused !== undefined)
    throw new UnreadableFile(`Column ${refused.column + 1} has a name that is not allowed`);

  const theNamed = (role: ColumnRole) => namedColumn(columns, role, named[role]);
  const phone = theNamed("phone") ?? phoneColumn(columns);
  const name = theNamed("name") ?? only(called(columns, "name"));
  const custom = columns.filter((column) => column !== phone && column !== name);
  return {
    width: cells.length,
    phone: phone.column,
    name: name?.column ?? null,
    timezone: theNamed("timezone")?.column ?? null,
    externalId: theNamed("externalId")?.column ?? null,
    consent: consentColumns((role) => theNamed(role)?.column ?? null),
    custom: withOwnKeys(custom, said),
  };
}

function consentColumns(columnOf: (role: ColumnRole) => number | null): ConsentColumns | null {
  const [source, at] = [columnOf("consentSource"), columnOf("consentAt")];
  if (source === null || at === null) return null;
  return { source, at, expiresAt: columnOf("consentExpiresAt"), reference: columnOf("consentReference") };
}

function withOwnKeys(columns: readonly Column[], said: ReadonlySet<string>): readonly Column[] {
  const taken = new Set(columns.map(({ key }) => key));
  const seen = new Map<string, number>();
  return columns.map(({ key, column }) => {
    let count = (seen.get(key) ?? 0) + 1;
    if (count > 1 && said.has(foldOf(CURRENT_RULE)(key)))
      throw new UnreadableFile(`The column ${key} stands twice, and a text says its value`);
    while (count > 1 && taken.has(`${key} (${count})`)) count += 1;
    seen.set(key, count);
    return { key: count === 1 ? key : `${key} (${count})`, column };
  });
}

/** null: the caller named none. Exactly this spelling first, else in another case. */
function namedColumn(columns: readonly Column[], role: ColumnRole, name: string | undefined): Column | null {
  if (name === undefined) return null;
  const exact = columns.filter(({ key }) => key === name.trim());
  const found = only(exact.length > 0 ? exact : called(columns, name.trim()));
  if (found !== null) return found;
  throw new MissingColumn(`The file has no such column; ${headerText(columns)}`, [
    "settings",
    "columns",
    role,
  ]);
}

function phoneColumn(columns: readonly Column[]): Column {
  const phone = only(called(columns, "phone"));
  if (phone !== null) return phone;
  const [other, another] = columns.filter(({ key }) =>
    OTHER_PHONE_NAMES.includes(key.toLowerCase().replaceAll(/[\s_-]+/g, " ")),
  );
  if (other === undefined) throw new MissingColumn(`The column phone is missing; ${headerText(columns)}`);
  if (another === undefined) return other;
  const either = `${other.key} and ${another.key}`;
  throw new UnreadableFile(`The columns ${either} may both be the phone; name one in settings.columns.phone`);
}

function called(columns: readonly Column[], name: string): readonly Column[] {
  return columns.filter(({ key }) => key.toLowerCase() === name.toLowerCase());
}

function only([column, other]: readonly Column[]): Column | null {
  if (column !== undefined && other !== undefined)
    throw new UnreadableFile(`The column ${column.key.toLowerCase()} stands twice`);
  return column ?? null;
}

function headerText(columns: readonly Column[]): string {
  const shown = columns.slice(0, 20).map(({ key }) => beginningOf(key, 50));
  return `the header has ${shown.length === 0 ? "no columns" : shown.join(", ")}`;
}
