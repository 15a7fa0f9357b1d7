import { expect, it } from "vitest";
import { suiteLines } from "./suite-lines.ts";

it("says for itself what ran in the browser and with real peers", () => {
  expect(
    suiteLines([
      { file: "test/dashboard/browser/calls.test.ts", passed: 6, failed: 1, millis: 20_400 },
      { file: "test/dashboard/browser/phone.test.ts", passed: 2, failed: 0, millis: 10_000 },
      { file: "test/dashboard/pages.test.ts", passed: 11, failed: 0, millis: 900 },
    ]),
  ).toEqual(["Browser suite: 8 passed, 1 failed, 2 files, 30 s of one worker"]);
});
