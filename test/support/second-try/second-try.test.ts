import { expect, it } from "vitest";
import type { FileResult } from "./run-results.ts";
import { secondTryOf, together } from "./second-try.ts";

const passed: FileResult = { file: "test/api/a.test.ts", passed: 7, failed: 0, said: [] };
const late: FileResult = {
  file: "test/programs/b.test.ts",
  passed: 2,
  failed: 1,
  said: ["expected 3210 to be less than 3000"],
};

it("gives a second try to a file that failed by what the machine did", () => {
  expect(secondTryOf({ files: [passed, late], outside: 0 })).toEqual([late.file]);
});

it.each([
  ["a rule", { ...late, file: "test/domain/call/decide.test.ts" }],
  ["a simulated campaign", { ...late, file: "test/simulation/seeds.test.ts" }],
  ["a property", { ...late, said: ["Property failed after 12 tests"] }],
  ["a judge's word", { ...late, said: ["call_1 was rung 2 times"] }],
  [
    "what a drill's judge found",
    { ...late, file: "test/drills/a.test.ts", said: ["log: expected [ Array(1) ] to deeply equal []"] },
  ],
])("gives none to %s", (_, failed) => {
  expect(secondTryOf({ files: [passed, failed], outside: 0 })).toBeNull();
});

it("gives none to four files, to a failure outside of them, or when nothing failed", () => {
  const four = ["a", "b", "c", "d"].map((name) => ({ ...late, file: `test/api/${name}.test.ts` }));
  expect(secondTryOf({ files: four, outside: 0 })).toBeNull();
  expect(secondTryOf({ files: [late], outside: 1 })).toBeNull();
  expect(secondTryOf({ files: [passed], outside: 0 })).toBeNull();
});

it("counts the second result of what was run again", () => {
  const again = { ...late, passed: 3, failed: 0, said: [] };
  const first = { files: [passed, late], outside: 0 };
  expect(together(first, { files: [again], outside: 0 })).toEqual({ passed: 10, failed: 0 });
  expect(together(first, { files: [late], outside: 0 })).toEqual({ passed: 9, failed: 1 });
});
