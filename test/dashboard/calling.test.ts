import { describe, expect, it } from "vitest";
import { EXAMPLE_SHOWN } from "../../contract/campaign-settings.ts";
import {
  type CallingDraft,
  callingDraftOf,
  callingSettings,
  changedSettings,
  EVERY_DAY,
  faultOfHours,
  PROPOSED,
  RETRIED_ENDS,
} from "../../dashboard/src/calling/calling-draft.ts";
import { en } from "../../dashboard/src/calling/en.ts";
import { sentenceOf } from "../../dashboard/src/calling/hours-sentence.ts";
import { tr } from "../../dashboard/src/calling/tr.ts";
import { peopleOf } from "../../dashboard/src/pages/campaign/setup/people.ts";
import { RETRIED_END_REASONS } from "../../domain/call/end-reason.ts";

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
    });
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
      { phoneNumber: "+905321112233", name: "Ada", customData: {} },
      { phoneNumber: "+905321112234", customData: {} },
    ]);
  });

  it("are a table where a header says so, with every other column as a value", () => {
    expect(peopleOf("name;Telefon;city\nAda;+905321112233;Konya\n")).toEqual([
      { phoneNumber: "+905321112233", name: "Ada", customData: { city: "Konya" } },
    ]);
  });

  it("are nobody in an empty text", () => {
    expect(peopleOf(" \n")).toEqual([]);
  });
});
