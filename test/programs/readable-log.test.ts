import { spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { stripVTControlCharacters } from "node:util";
import { expect, it } from "vitest";

const LOGGER = join(import.meta.dirname, "../../infrastructure/logger.ts");
const PROGRAM = `import { createLogger } from ${JSON.stringify(LOGGER)};
const fields = { campaignId: "cmp_1", step: "making it", pid: 7, error: new Error("no +905321112233") };
createLogger("info").warn(fields, "something");`;
/** It runs a command on a terminal of its own. */
const TERMINAL = "script";
const ARGUMENTS = ["--input-type=module", "--eval", PROGRAM];

it("is JSON where nobody looks on", () => {
  const { stderr } = spawnSync(process.execPath, ARGUMENTS, { encoding: "utf8" });
  expect(JSON.parse(stderr)).toMatchObject({ level: 40, msg: "something", campaignId: "cmp_1" });
});

it("is a line of words on a terminal, names and values after them, and no number either", () => {
  const quoted = [process.execPath, ...ARGUMENTS].map((each) => `'${each.replaceAll("'", "'\\''")}'`);
  const { stdout } = spawnSync(TERMINAL, ["-qec", quoted.join(" "), "/dev/null"], { encoding: "utf8" });
  const [line = "", ...below] = stripVTControlCharacters(stdout).split(/\r?\n/);
  expect(line.trimEnd()).toMatch(
    /^\[\d\d:\d\d:\d\d\] WARN: something campaignId=cmp_1 step="making it" pid=7$/,
  );
  expect(below.join()).toContain("no +…");
  expect(stdout).not.toContain("905321112233");
});
