import { describe, expect, it } from "vitest";
import { outcomeSettings } from "../../contract/outcome.ts";
import {
  answersOf,
  changed,
  controlOf,
  faultAt,
  MOST_FIELDS,
  maySucceed,
  moved,
  outcomeDraftOf,
  outcomeOf,
  TYPES,
  withoutRow,
  withRow,
  withSuccess,
} from "../../dashboard/src/pages/assistant/outcome/outcome-draft.ts";
import { OUTCOME_TYPES, type OutcomeSettings } from "../../domain/outcome/settings.ts";

const ASKED: OutcomeSettings = {
  summary: true,
  fields: [
    { name: "confirmed", type: "boolean", description: "Whether the appointment is kept" },
    { name: "mood", type: "enum", description: "How they sound", values: ["calm, or so", "angry"] },
    { name: "newDate", type: "date", description: "The day that they want instead" },
  ],
  success: { field: "mood", in: ["calm, or so"] },
};
const draft = outcomeDraftOf(ASKED);
const names = (of = draft) => of.rows.map(({ name }) => name);
const pathsOf = (settings: unknown) =>
  (outcomeSettings.safeParse(settings).error?.issues ?? []).map(({ path }) =>
    controlOf(["outcome", ...path.map((part) => (typeof part === "symbol" ? "" : part))]),
  );

describe("what calls are asked for, in its form", () => {
  it("offers every type, as many fields as the service takes, and comes back as it was", () => {
    expect([...TYPES].toSorted()).toEqual([...OUTCOME_TYPES].toSorted());
    expect(outcomeOf(draft)).toEqual(ASKED);
    expect(outcomeOf(outcomeDraftOf(null))).toBeNull();
    const field = ASKED.fields[0];
    const many = (count: number) => Array.from({ length: count }, (_, at) => ({ ...field, name: `f${at}` }));
    expect(pathsOf({ fields: many(MOST_FIELDS) })).toEqual([]);
    expect(pathsOf({ fields: many(MOST_FIELDS + 1) })).toEqual(["outcome"]);
  });

  it("takes the success along while its field is renamed and moved, and drops it with the field", () => {
    const renamed = moved(changed(draft, 1, { name: "tone" }), 1, -1);
    expect(names(renamed)).toEqual(["tone", "confirmed", "newDate"]);
    expect(outcomeOf(renamed)?.success).toEqual({ field: "tone", in: ["calm, or so"] });
    expect(moved(renamed, 1, -1)).toEqual(renamed);
    expect(moved(renamed, 2, 1)).toEqual(renamed);
    expect(outcomeOf(withoutRow(renamed, 1))?.success).toBeNull();
    expect(outcomeOf(withoutRow(renamed, 0))?.success).toEqual({ field: "tone", in: ["calm, or so"] });
  });

  it("asks anew for the success where the type changes, and knows what can be one", () => {
    expect(outcomeOf(changed(draft, 1, { type: "boolean" }))?.success).toEqual({ field: "mood", in: [] });
    expect(outcomeOf(changed(draft, 1, { type: "string" }))?.success).toBeNull();
    expect(outcomeOf(changed(draft, 1, { values: "angry\n\n sad " }))?.success).toEqual({
      field: "mood",
      in: [],
    });
    expect(draft.rows.filter(maySucceed).map(({ name }) => name)).toEqual(["confirmed", "mood"]);
    expect(draft.rows.map((row) => answersOf(row).length)).toEqual([2, 2, 0]);
    expect(outcomeOf(withSuccess(draft, 0))?.success).toEqual({ field: "confirmed", in: [true] });
    expect(outcomeOf(withSuccess(draft, null))?.success).toBeNull();
  });

  it("gives a row that comes an id that no row has", () => {
    const more = withRow(withoutRow(draft, 0));
    expect(more.rows.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(withRow(outcomeDraftOf(null)).rows.map(({ id }) => id)).toEqual([0]);
  });

  it("finds the control of whatever the service refuses", () => {
    const [confirmed, mood] = ASKED.fields;
    const fields = [confirmed, { ...mood, values: ["x", ""] }];
    expect(pathsOf({ ...ASKED, fields })).toContain("outcome.fields.1.values");
    expect(pathsOf({ ...ASKED, fields: [{ ...confirmed, name: "A b" }] })).toContain("outcome.fields.0.name");
    expect(pathsOf({ ...ASKED, success: { field: "newDate", in: [true] } })).toEqual([
      "outcome.success.field",
    ]);
    expect(pathsOf({ ...ASKED, success: { field: "mood", in: ["x"] } })).toEqual(["outcome.success.in"]);
    expect(pathsOf({ fields: [] })).toEqual(["outcome"]);
    expect(controlOf(["callId"])).toBe("callId");
  });

  it("keeps a refusal with its row while rows move", () => {
    const refused = { rowIds: [4, 2], byControl: new Map([["outcome.fields.1.values", "no"]]) };
    expect(faultAt(refused, 2, "values")).toBe("no");
    expect(faultAt(refused, 4, "values")).toBeUndefined();
    expect(faultAt(refused, 9, "values")).toBeUndefined();
  });
});
