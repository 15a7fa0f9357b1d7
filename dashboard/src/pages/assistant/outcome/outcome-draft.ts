import type { OutcomeSettings, OutcomeType } from "../../../../../domain/outcome/settings.ts";

export const TYPES = [
  "boolean",
  "enum",
  "string",
  "number",
  "integer",
  "date",
  "datetime",
] as const satisfies readonly OutcomeType[];
export const MOST_FIELDS = 20;

/** A field that calls are asked for, as in its controls. */
export type FieldRow = {
  /** Tells rows apart while they come, go and move. */
  readonly id: number;
  readonly name: string;
  readonly type: OutcomeType;
  readonly description: string;
  /** Of an enum: one a line. */
  readonly values: string;
};

export type OutcomeDraft = {
  readonly summary: boolean;
  readonly rows: readonly FieldRow[];
  /** `in`: `true` and `false` of a boolean, values of an enum. */
  readonly success: { readonly rowId: number; readonly in: readonly string[] } | null;
};

export function outcomeDraftOf(outcome: OutcomeSettings | null): OutcomeDraft {
  if (outcome === null) return { summary: false, rows: [], success: null };
  const { summary, fields, success } = outcome;
  const rows = fields.map(({ name, type, description, values = [] }, id) => ({
    id,
    name,
    type,
    description,
    values: values.join("\n"),
  }));
  const of = rows.find(({ name }) => name === success?.field);
  if (success === null || of === undefined) return { summary, rows, success: null };
  return { summary, rows, success: { rowId: of.id, in: success.in.map(String) } };
}

/** The field of the API; null: calls are asked for nothing. What is wrong is sent: the service reports it. */
export function outcomeOf({ summary, rows, success }: OutcomeDraft): OutcomeSettings | null {
  if (!summary && rows.length === 0) return null;
  return {
    summary,
    fields: rows.map((row) => ({
      name: row.name.trim(),
      type: row.type,
      description: row.description.trim(),
      ...(row.type === "enum" ? { values: linesOf(row.values) } : {}),
    })),
    success: successOf(rows, success),
  };
}

function successOf(rows: readonly FieldRow[], success: OutcomeDraft["success"]): OutcomeSettings["success"] {
  const row = rows.find(({ id }) => id === success?.rowId);
  if (row === undefined || success === null) return null;
  const chosen = answersOf(row).filter((answer) => success.in.includes(answer));
  return {
    field: row.name.trim(),
    in: row.type === "boolean" ? chosen.map((answer) => answer === "true") : chosen,
  };
}

const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** What can be a success; a field of another type than boolean or enum has none. */
export function answersOf({ type, values }: FieldRow): readonly string[] {
  if (type === "boolean") return ["true", "false"];
  return type === "enum" ? [...new Set(linesOf(values))] : [];
}

export const maySucceed = ({ type }: FieldRow): boolean => type === "boolean" || type === "enum";

export function withRow(draft: OutcomeDraft): OutcomeDraft {
  const id = 1 + Math.max(-1, ...draft.rows.map((row) => row.id));
  return { ...draft, rows: [...draft.rows, { id, name: "", type: "boolean", description: "", values: "" }] };
}

/** The success of a field that is gone is gone with it. */
export function withoutRow({ rows, success, ...rest }: OutcomeDraft, id: number): OutcomeDraft {
  return {
    ...rest,
    rows: rows.filter((row) => row.id !== id),
    success: success?.rowId === id ? null : success,
  };
}

/** One place up (-1) or down (1); at the end of the list it stays. */
export function moved(draft: OutcomeDraft, id: number, by: -1 | 1): OutcomeDraft {
  const rows = [...draft.rows];
  const place = rows.findIndex((row) => row.id === id);
  const [here, there] = [rows[place], rows[place + by]];
  if (here === undefined || there === undefined) return draft;
  rows[place] = there;
  rows[place + by] = here;
  return { ...draft, rows };
}

/** Of another type its success has other values, or none. */
export function changed(draft: OutcomeDraft, id: number, by: Partial<FieldRow>): OutcomeDraft {
  const rows = draft.rows.map((row) => (row.id === id ? { ...row, ...by } : row));
  const row = rows.find((each) => each.id === id);
  if (by.type === undefined || row === undefined || draft.success?.rowId !== id) return { ...draft, rows };
  return { ...draft, rows, success: maySucceed(row) ? { rowId: id, in: [] } : null };
}

/** A boolean succeeds with yes unless somebody says otherwise. */
export function withSuccess(draft: OutcomeDraft, rowId: number | null): OutcomeDraft {
  const row = draft.rows.find(({ id }) => id === rowId);
  if (row === undefined) return { ...draft, success: null };
  return { ...draft, success: { rowId: row.id, in: row.type === "boolean" ? ["true"] : [] } };
}

/**
 * The control that a path of the API means: `outcome.fields.1.values`, `outcome.success.in`, or `outcome` for
 * all of it.
 */
export function controlOf([first, part, place, of]: readonly (string | number)[]): string {
  if (first !== "outcome") return String(first ?? "");
  if (part === "fields" && place !== undefined) return `outcome.fields.${place}.${of ?? "name"}`;
  return part === "success" ? `outcome.success.${place ?? "field"}` : "outcome";
}

/** Why the service refused controls, by their names, with the rows as they stood when it was asked. */
export type Refused = { readonly rowIds: readonly number[]; readonly byControl: ReadonlyMap<string, string> };

/** A refusal stays with its row while rows move. */
export function faultAt({ rowIds, byControl }: Refused, rowId: number, part: string): string | undefined {
  return byControl.get(`outcome.fields.${rowIds.indexOf(rowId)}.${part}`);
}
