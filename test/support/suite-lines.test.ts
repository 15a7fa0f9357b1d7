import { expect, it } from "vitest";
import { slowestLine, suiteLines } from "./suite-lines.ts";

it("says for itself what ran in the browser and with real peers", () => {
  expect(
    suiteLines([
      { file: "test/dashboard/browser/calls.test.ts", passed: 6, failed: 1, millis: 20_400 },
      { file: "test/dashboard/browser/phone.test.ts", passed: 2, failed: 0, millis: 10_000 },
      { file: "test/dashboard/pages.test.ts", passed: 11, failed: 0, millis: 900 },
    ]),
  ).toEqual(["Browser suite: 8 passed, 1 failed, 2 files, 30 s of one worker"]);
});

it("says which files took the time of a run, the longest first", () => {
  const files = [
    { file: "test/domain/call.test.ts", passed: 1, failed: 0, millis: 1_400 },
    { file: "test/drills/crash-drills.test.ts", passed: 1, failed: 0, millis: 300_000 },
  ];
  expect(slowestLine(files)).toBe(
    "Seconds of one worker: 301 in all; 300 drills/crash-drills.test.ts, 1 domain/call.test.ts",
  );
});
