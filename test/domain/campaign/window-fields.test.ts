import { test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import {
  changedWindow,
  fieldsOfWindow,
  HOURS_DIFFER,
  type WindowFields,
  windowOf,
  windowProblems,
} from "../../../domain/campaign/window/window-fields.ts";
import type { CallWindow } from "../../../domain/shared/call-window.ts";
import { windowsAround } from "./random-windows.ts";

const NOWHERE: WindowFields = {
  callWindowStart: null,
  callWindowEnd: null,
  callWindowStartMinute: 0,
  callWindowEndMinute: 0,
  callWindowDays: null,
  callWindowExcludedDates: [],
};
const NIGHT: WindowFields = {
  ...NOWHERE,
  callWindowStart: 22,
  callWindowEnd: 6,
  callWindowStartMinute: 30,
  callWindowEndMinute: 15,
};

const problems = (window: WindowFields, change: WindowFields = window) =>
  windowProblems(window, change).map(({ path, message }) => `${path.join(".")}: ${message}`);
const ALONE = "Is used together with callWindowStart and callWindowEnd";

describe("fields of a call window", () => {
  test.prop([windowsAround(Date.parse("2026-09-01T10:00:00Z"), 10)])(
    "are a window and its fields again",
    (window) => {
      const fields = fieldsOfWindow(window);
      expect(fieldsOfWindow(windowOf(fields))).toEqual(fields);
    },
  );

  it("leave out of a window what says nothing", () => {
    expect(windowOf({})).toBeNull();
    expect(windowOf(NOWHERE)).toBeNull();
    expect(fieldsOfWindow(null)).toEqual(NOWHERE);
    expect(windowOf({ callWindowStart: 9, callWindowEnd: 18, callWindowEndMinute: 0 })).toEqual({
      start: 9,
      end: 18,
    });
    expect(windowOf(NIGHT)).toEqual({ start: 22, end: 6, startMinute: 30, endMinute: 15 });
  });

  it("sort days and dates, and name each date once", () => {
    const dates = ["2027-01-01", "2026-12-25", "2027-01-01"];
    const window: CallWindow = {
      start: 0,
      end: 0,
      days: [1, 5],
      excludedDates: ["2026-12-25", "2027-01-01"],
    };
    expect(windowOf({ callWindowDays: [5, 1], callWindowExcludedDates: dates })).toEqual(window);
    expect(fieldsOfWindow(window)).toEqual({
      ...NOWHERE,
      callWindowDays: [1, 5],
      callWindowExcludedDates: ["2026-12-25", "2027-01-01"],
    });
  });

  it("say which of them stands alone, and that hours differ", () => {
    const together = "callWindowStart and callWindowEnd are used together";
    const differ = "callWindowStart and callWindowEnd must differ";
    expect(problems({ callWindowStart: 9 })).toEqual([`callWindowEnd: ${together}`]);
    expect(problems({ callWindowEnd: 9 })).toEqual([`callWindowEnd: ${together}`]);
    expect(problems({ callWindowStart: 9, callWindowEnd: 9 })).toEqual([`callWindowEnd: ${differ}`]);
    expect(problems({ callWindowStartMinute: 5, callWindowEndMinute: 5 })).toEqual([
      `callWindowStartMinute: ${ALONE}`,
      `callWindowEndMinute: ${ALONE}`,
    ]);
    expect(problems({ ...NIGHT, callWindowEnd: 22 }, { callWindowStart: 22 })).toEqual([
      `callWindowStart: ${differ}`,
    ]);
    expect(HOURS_DIFFER.holds({ callWindowEnd: 9 })).toBe(true);
  });

  it("change one by one, and lose their minutes with their hours", () => {
    expect(windowOf(changedWindow(NIGHT, { callWindowEnd: 7 }))).toEqual({
      start: 22,
      end: 7,
      startMinute: 30,
      endMinute: 15,
    });
    const without = changedWindow(NIGHT, { callWindowStart: null, callWindowEnd: null });
    expect(problems(without)).toEqual([]);
    expect(windowOf(without)).toBeNull();
    const minutes = { callWindowStart: null, callWindowEnd: null, callWindowEndMinute: 5 };
    expect(problems(changedWindow(NIGHT, minutes))).toEqual([`callWindowEndMinute: ${ALONE}`]);
  });
});
