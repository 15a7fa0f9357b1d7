import { expect, it } from "vitest";
import { checkJson } from "../../api/body/check-json.ts";
import { bodySchemas } from "../../api/body-checks/body-schemas.ts";

const CAMPAIGN = {
  name: "c",
  phoneNumberId: "pn_x",
  assistantId: "ast_x",
  contacts: [{ phoneNumber: "+15005550006" }],
};
const PREVIEW = { contacts: [] };
const ROW = { endReasons: ["busy"], afterMins: [10, 30] };
const SEVEN = ["no_answer", "unreachable", "voicemail", "declined", "carrier_error", "setup_timeout"];

/** Places and words of everything that is wrong with a body. */
function problems(schema: string, body: object): readonly (readonly [place: string, message: string])[] {
  const found = bodySchemas[schema];
  if (found === undefined) throw new Error(`No schema ${schema}`);
  const checked = checkJson(Buffer.from(JSON.stringify(body)), found);
  if (checked.ok) return [];
  if (checked.kind !== "invalid") throw new Error(checked.kind);
  return checked.details.map(({ path, message }) => [path.join("."), message]);
}
const places = (schema: string, body: object) => problems(schema, body).map(([place]) => place);

const WHOLE = [
  ["createCampaign", CAMPAIGN],
  ["previewCampaign", PREVIEW],
] as const;
const EACH = [...WHOLE, ["changeCampaign", {}]] as const;

it.each(EACH)("%s takes a plan of one to ten rows, none, and null", (schema, body) => {
  const rows = ["busy", ...SEVEN, "connection_lost"].map((reason) => ({ ...ROW, endReasons: [reason] }));
  for (const retryPlan of [
    null,
    [],
    [ROW],
    rows,
    [{ ...ROW, sameDay: true }],
    [{ ...ROW, afterMins: [1, 10_080] }],
    [{ ...ROW, afterMins: Array.from({ length: 10 }, () => 7) }],
  ])
    expect(places(schema, { ...body, retryPlan }), JSON.stringify(retryPlan)).toEqual([]);
});

it.each(EACH)("%s names the very place of what is wrong with a row", (schema, body) => {
  const one = (row: object) => places(schema, { ...body, retryPlan: [ROW, row] });
  const other = { endReasons: ["no_answer"], afterMins: [1] };
  expect(one({ ...other, afterMins: [0, 10_081, 1.5, "5"] })).toEqual(
    [0, 1, 2, 3].map((index) => `retryPlan.1.afterMins.${index}`),
  );
  expect(one({ ...other, afterMins: [] })).toEqual(["retryPlan.1.afterMins"]);
  expect(one({ ...other, afterMins: Array.from({ length: 11 }, () => 5) })).toEqual([
    "retryPlan.1.afterMins",
  ]);
  expect(one({ afterMins: [1] })).toEqual(["retryPlan.1.endReasons"]);
  expect(one({ ...other, endReasons: [] })).toEqual(["retryPlan.1.endReasons"]);
  expect(one({ ...other, endReasons: ["no_answer", "completed", "invalid_number", 7] })).toEqual(
    [1, 2, 3].map((index) => `retryPlan.1.endReasons.${index}`),
  );
  expect(one({ ...other, endReasons: ["no_answer", "busy", "no_answer"] })).toEqual(
    [1, 2].map((index) => `retryPlan.1.endReasons.${index}`),
  );
  expect(one({ ...other, sameDay: "no" })).toEqual(["retryPlan.1.sameDay"]);
  expect(one({ ...other, afterMinutes: [1] })).toEqual(["retryPlan.1.afterMinutes"]);
  expect(one({ ...other, endReasons: ["not_placed", "assistant_error"] })).toEqual(
    [0, 1].map((index) => `retryPlan.1.endReasons.${index}`),
  );
  expect(problems(schema, { ...body, retryPlan: [{ ...other, endReasons: ["not_placed"] }] })).toEqual([
    ["retryPlan.0.endReasons.0", "not_placed has a repetition of its own, which no row changes"],
  ]);
  expect(places(schema, { ...body, retryPlan: Array.from({ length: 11 }, () => ROW) })).toContain(
    "retryPlan",
  );
  for (const retryPlan of ["busy", {}, 3])
    expect(places(schema, { ...body, retryPlan })).toEqual(["retryPlan"]);
});

it.each(WHOLE)(
  "%s refuses a row whose reason retryOn has not, or that waits for a later day without a window",
  (schema, body) => {
    const later = { endReasons: ["no_answer", "voicemail"], afterMins: [60], sameDay: false };
    const retryPlan = [ROW, later];
    const retryOn = ["busy", "no_answer"];
    expect(problems(schema, { ...body, retryPlan, retryOn })).toEqual([
      ["retryPlan.1.endReasons.1", "retryOn does not have voicemail, which the plan names"],
      ["retryPlan.1.sameDay", "A later day needs a call window"],
    ]);
    expect(places(schema, { ...body, retryPlan, retryOn: [] })).toContain("retryPlan.0.endReasons.0");
    for (const window of [
      { callWindowStart: 9, callWindowEnd: 18 },
      { callWindowDays: [1, 2] },
      { callWindowExcludedDates: ["2026-12-25"] },
    ])
      expect(places(schema, { ...body, ...window, retryPlan }), JSON.stringify(window)).toEqual([]);
    for (const none of [{ callWindowDays: null }, { callWindowExcludedDates: [] }, { callWindowStart: null }])
      expect(places(schema, { ...body, ...none, retryPlan })).toEqual(["retryPlan.1.sameDay"]);
  },
);

it("is judged with everything else that is wrong, and never breaks on it", () => {
  const later = [{ endReasons: ["no_answer"], afterMins: [60], sameDay: false }];
  expect(
    places("createCampaign", { ...CAMPAIGN, name: "", retryPlan: later, maxRetires: 3 }).toSorted(),
  ).toEqual(["maxRetires", "name", "retryPlan.0.sameDay"]);
  const unreadable = { endReasons: ["voicemail"], afterMins: [0] };
  expect(places("createCampaign", { ...CAMPAIGN, retryPlan: [unreadable, ...later] }).toSorted()).toEqual([
    "retryPlan.0.afterMins.0",
    "retryPlan.1.sameDay",
  ]);
  for (const strange of [{ retryOn: "busy" }, { retryOn: [7] }, { callWindowDays: 5, callWindowStart: "9" }])
    expect(places("createCampaign", { ...CAMPAIGN, ...strange, retryPlan: later })).toEqual(
      expect.arrayContaining(Object.keys(strange).map((name) => expect.stringContaining(name))),
    );
});
