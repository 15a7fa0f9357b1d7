import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countLine, type FileResult } from "./run-results.ts";
import { halfOf, joined, secondTryOf, together } from "./second-try.ts";

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
  expect(countLine(together(first, { files: [again], outside: 0 }))).toBe("10 passed, 0 failed");
  expect(countLine(together(first, { files: [late], outside: 0 }))).toBe("9 passed, 1 failed");
});

const written = (...files: readonly FileResult[]) => JSON.stringify({ files, outside: 0 });

it("counts both halves of a run, and gives one second try to both together", () => {
  const early = { ...late, file: "test/api/c.test.ts" };
  const both = joined([halfOf(1, written(passed, early)), halfOf(1, written(late))]);
  expect(countLine(both)).toBe("11 passed, 2 failed");
  expect(secondTryOf(both)).toEqual([early.file, late.file]);
});

it.each([
  ["wrote nothing", 1, null],
  ["wrote nothing and says that all is well", 0, null],
  ["ended with a failure and names none", 1, written(passed)],
])("takes a half that %s for a failure that is not by chance", (_, status, text) => {
  const half = halfOf(status, text);
  expect(countLine(half)).toMatch(/ 1 failed$/);
  expect(secondTryOf(half)).toBeNull();
});

describe("the last line of .ci/run", () => {
  const run = promisify(execFile);
  const program = join(import.meta.dirname, "second-try-program.ts");
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "ringfold-halves-"));
    await writeFile(join(folder, "test.json"), written(passed));
    await writeFile(join(folder, "rest.json"), written({ ...late, failed: 0 }));
    await writeFile(join(folder, "rule.json"), written({ ...late, file: "test/domain/a.test.ts" }));
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** Its exit status and last line, for halves that ended with these. */
  async function said(...halves: readonly (readonly [status: number, file: string])[]) {
    const given = halves.flatMap(([status, file]) => [`${status}`, join(folder, file)]);
    const ended = await run(process.execPath, [program, ...given]).then(
      ({ stdout }) => ({ code: 0, stdout }),
      (error: { readonly code: number; readonly stdout: string }) => error,
    );
    return [ended.code, ended.stdout.trimEnd().split("\n").at(-1)];
  }

  it("is the sum of both halves, which is green when both are", async () => {
    expect(await said([0, "test.json"], [0, "rest.json"])).toEqual([0, "9 passed, 0 failed"]);
  });

  it("is red when a half failed, or is not there", async () => {
    expect(await said([0, "test.json"], [1, "rule.json"])).toEqual([1, "9 passed, 1 failed"]);
    expect(await said([0, "test.json"], [1, "none.json"])).toEqual([1, "7 passed, 1 failed"]);
  });
});
