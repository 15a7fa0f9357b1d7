import { describe, expect, it } from "vitest";
import {
  exportPath,
  isBrought,
  wantedSuccess,
  wantedValue,
} from "../../dashboard/src/pages/campaign/outcomes/wanted.ts";

const outcome = { success: false, fields: { wants: "a=b", persons: 2, day: null, kept: true } };

describe("whom a value of an outcome lists", () => {
  it.each([
    [wantedSuccess(false), true],
    [wantedSuccess(true), false],
    [wantedValue("wants", "a=b"), true],
    [wantedValue("wants", "a"), false],
    [wantedValue("persons", "2"), true],
    [wantedValue("kept", "true"), true],
    [wantedValue("day", "null"), true],
    [wantedValue("other", "undefined"), false],
    ["wants=a=b", false],
    ["", false],
  ])("%s: %s", (wanted, isListed) => {
    expect(isBrought(wanted, outcome)).toBe(isListed);
    expect(isBrought(wanted, undefined)).toBe(false);
    expect(isBrought(wanted, null)).toBe(false);
  });

  it.each([
    [undefined, undefined, ""],
    ["failed", undefined, "?status=failed"],
    ["callback", undefined, "?nextAttemptCause=callback"],
    ["opted_out", "success=true", "?optedOut=true&success=true"],
    ["succeeded", "outcome.wants=a=b & c", "?status=succeeded&outcome.wants=a%3Db+%26+c"],
  ])("is the file of %s, %s", (status, brought, query) => {
    expect(exportPath("cmp_1", status, brought)).toBe(`/api/v1/campaigns/cmp_1/contacts.csv${query}`);
  });
});
