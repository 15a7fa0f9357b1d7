import { describe, expect, it } from "vitest";
import { EXAMPLE_SHOWN } from "../../contract/campaign-settings.ts";
import {
  type CallingDraft,
  callingDraftOf,
  callingSettings,
  changedSettings,
  EVERY_DAY,
  faultOfHours,
  isAnyTime,
  PROPOSED,
  RETRIED_ENDS,
} from "../../dashboard/src/calling/calling-draft.ts";
import { en } from "../../dashboard/src/calling/en.ts";
import { sentenceOf } from "../../dashboard/src/calling/hours-sentence.ts";
import {
  controlOf,
  endsLeft,
  PLANNED_ENDS,
  withoutEnd,
  withRow,
} from "../../dashboard/src/calling/plan-draft.ts";
import { tr } from "../../dashboard/src/calling/tr.ts";
import { peopleOf } from "../../dashboard/src/pages/campaign/setup/people.ts";
import { fieldOfPath } from "../../dashboard/src/pages/campaign-new/steps.ts";
import { RETRIED_END_REASONS } from "../../domain/call/end-reason.ts";
import { PLANNED_END_REASONS } from "../../domain/campaign/retry-policy.ts";

const say =
  (texts: Readonly<Record<string, string>>) =>
  (key: string, values: Readonly<Record<string, string | number>> = {}) =>
    (texts[key] ?? key).replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
const said = (changed: Partial<CallingDraft>, hasOwnZones = false) =>
  sentenceOf({ ...PROPOSED, timezone: "Europe/London", ...changed }, hasOwnZones, say(en), "en-GB");

describe("when people are called, in a sentence", () => {
  it.each<[Partial<CallingDraft>, boolean, string]>([
    [{}, false, "Monday to Friday, 9:00 to 20:00 by the clock of Europe/London."],
    [
      {},
      true,
      "Monday to Friday, 9:00 to 20:00 in each person's own zone, else by the clock of Europe/London.",
    ],
    [{ callWindowDays: [2, 4] }, false, "Tuesday and Thursday, 9:00 to 20:00 by the clock of Europe/London."],
    [
      { callWindowDays: [1, 2, 5], callWindowStart: "10:30" },
      false,
      "Monday, Tuesday and Friday, 10:30 to 20:00 by the clock of Europe/London.",
    ],
    [
      { callWindowDays: EVERY_DAY, callWindowStart: "20:00", callWindowEnd: "08:00" },
      false,
      "Every day, 20:00 to 8:00 the next morning, by the clock of Europe/London.",
    ],
    [
      { isAnyHour: true, callWindowExcludedDates: "2026-12-25" },
      false,
      "Monday to Friday, at any hour, also at night. Never on 2026-12-25.",
    ],
    [{ timezone: "" }, false, "Monday to Friday, 9:00 to 20:00 by the clock of Europe/Istanbul."],
  ])("%j, own zones %s", (changed, hasOwnZones, sentence) => {
    expect(said(changed, hasOwnZones)).toBe(sentence);
  });

  it("is whole in Turkish", () => {
    const draft = { ...PROPOSED, timezone: "Europe/Istanbul" };
    expect(sentenceOf(draft, false, say(tr), "tr-TR")).toBe(
      "Pazartesi–Cuma 9:00–20:00, Europe/Istanbul saatiyle.",
    );
  });
});

describe("what is proposed for a new campaign", () => {
  it("is no hour of the night, no weekend, and nobody again who declined", () => {
    expect(callingSettings(PROPOSED)).toMatchObject({
      callWindowStart: 9,
      callWindowStartMinute: 0,
      callWindowEnd: 20,
      callWindowEndMinute: 0,
      callWindowDays: [1, 2, 3, 4, 5],
    });
    expect(PROPOSED.retryOn).not.toContain("declined");
  });

  it("offers every end that the service may repeat, but the one that it repeats anyway", () => {
    expect([...RETRIED_ENDS, "not_placed"].toSorted()).toEqual(RETRIED_END_REASONS.toSorted());
  });

  it("offers for a row of the plan every end that the service takes in one", () => {
    expect(PLANNED_ENDS.toSorted()).toEqual(PLANNED_END_REASONS.toSorted());
  });

  it("takes hours away only where any hour was ticked", () => {
    const settings = callingSettings({ ...PROPOSED, isAnyHour: true });
    expect(settings).toMatchObject({ callWindowStart: null, callWindowEnd: null });
    expect(settings).not.toHaveProperty("callWindowStartMinute");
  });

  it.each<[Partial<CallingDraft>, string | null]>([
    [{}, null],
    [{ callWindowDays: [] }, "no-day"],
    [{ callWindowEnd: "09:00" }, "same-hour"],
    [{ callWindowEnd: "09:00", isAnyHour: true }, null],
  ])("%j has the fault %s", (changed, fault) => {
    expect(faultOfHours({ ...PROPOSED, ...changed })).toBe(fault);
  });
});

describe("a change of a campaign", () => {
  const before = callingDraftOf(EXAMPLE_SHOWN);

  it("has in its controls what the campaign has", () => {
    expect(before).toMatchObject({
      isAnyHour: false,
      callWindowStart: "09:00",
      callWindowEnd: "18:30",
      callWindowExcludedDates: "2026-12-25",
      maxConcurrentCalls: "5",
      retryIntervalMins: "",
      retryOn: ["busy", "no_answer"],
      retryPlan: [{ endReasons: ["busy"], afterMins: "10, 30", isLaterDay: false }],
    });
  });

  it("has the plan as the service takes it, none as null, and what is no number as it is", () => {
    const [row] = before.retryPlan;
    if (row === undefined) throw new Error("no row");
    const planned = (retryPlan: CallingDraft["retryPlan"]) =>
      changedSettings(before, { ...before, retryPlan });
    expect(planned([])).toEqual({ retryPlan: null });
    expect(planned([{ ...row, afterMins: "10 ; soon,30", isLaterDay: true }])).toEqual({
      retryPlan: [{ endReasons: ["busy"], afterMins: [10, "soon", 30], sameDay: false }],
    });
  });

  it("names an end in one row, and in none once nobody is called again after it", () => {
    const one = withRow([], ["busy", "assistant_error", "no_answer"]);
    const two = withRow(one, ["busy", "assistant_error", "no_answer"]);
    expect(two.map(({ endReasons }) => endReasons)).toEqual([["busy"], ["no_answer"]]);
    expect(endsLeft(two, ["busy", "no_answer", "voicemail", "assistant_error"])).toEqual(["voicemail"]);
    expect(withRow(two, ["busy", "no_answer"]).at(-1)).toMatchObject({ id: 2, endReasons: [] });
    expect(withoutEnd(two, "busy")).toEqual(two.slice(1));
    const both = [{ ...one[0], id: 0, endReasons: ["busy", "declined"], afterMins: "", isLaterDay: false }];
    expect(withoutEnd(both, "declined")).toMatchObject([{ endReasons: ["busy"] }]);
  });

  it("leads to the very control that a refusal is about", () => {
    expect(controlOf(["retryPlan", 1, "afterMins", 0])).toBe("retryPlan.1.afterMins");
    expect(controlOf(["retryPlan"])).toBe("retryPlan");
    expect(fieldOfPath(["settings", "retryPlan", 0, "sameDay"])).toBe("retryPlan.0.sameDay");
    expect(fieldOfPath(["settings", "columns", "phone"])).toBe("columns");
  });

  it("needs a window for a later day only where people are called at any time", () => {
    const any = { ...before, isAnyHour: true, callWindowDays: EVERY_DAY, callWindowExcludedDates: "" };
    expect(isAnyTime(any)).toBe(true);
    expect(isAnyTime({ ...any, isAnyHour: false })).toBe(false);
    expect(isAnyTime({ ...any, callWindowDays: [1] })).toBe(false);
    expect(isAnyTime({ ...any, callWindowExcludedDates: "2026-12-25" })).toBe(false);
  });

  it("asks for what differs alone", () => {
    expect(changedSettings(before, before)).toEqual({});
    expect(changedSettings(before, { ...before, callWindowEnd: "19:30", maxRetries: "" })).toEqual({
      callWindowEnd: 19,
      maxRetries: null,
    });
    expect(changedSettings(before, { ...before, maxCallsPerSecond: "0.5" })).toEqual({
      maxCallsPerSecond: 0.5,
    });
  });
});

describe("people who are pasted", () => {
  it("are lines of a number and a name", () => {
    expect(peopleOf("+905321112233, Ada\n\n +905321112234\n")).toEqual([
      { line: 1, person: { phoneNumber: "+905321112233", name: "Ada", customData: {} } },
      { line: 3, person: { phoneNumber: "+905321112234", customData: {} } },
    ]);
  });

  it("are a table where a header says so, with every other column as a value", () => {
    expect(peopleOf("name;Telefon;city\nAda;+905321112233;Konya\n")).toEqual([
      { line: 2, person: { phoneNumber: "+905321112233", name: "Ada", customData: { city: "Konya" } } },
    ]);
  });

  it("have a consent where a row says something of it", () => {
    const text = `phone,consentSource,consentAt,consentExpiresAt\n+1,web form,2026-09-01T10:00:00Z,\n+2,,,\n`;
    expect(peopleOf(text).map(({ person }) => person.consent)).toEqual([
      { source: "web form", at: "2026-09-01T10:00:00Z", expiresAt: null, reference: null },
      undefined,
    ]);
  });

  it("are nobody in an empty text", () => {
    expect(peopleOf(" \n")).toEqual([]);
  });
});
