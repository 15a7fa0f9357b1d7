import { spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { stripVTControlCharacters } from "node:util";
import { expect, it } from "vitest";

const LOGGER = join(import.meta.dirname, "../../infrastructure/logger.ts");
const PROGRAM = `import { createLogger } from ${JSON.stringify(LOGGER)};
createLogger("info").warn({ campaignId: "cmp_1", error: new Error("no +905321112233") }, "something");`;
/** It runs a command on a terminal of its own. */
const TERMINAL = "script";
const ARGUMENTS = ["--input-type=module", "--eval", PROGRAM];

it("is JSON where nobody looks on", () => {
  const { stderr } = spawnSync(process.execPath, ARGUMENTS, { encoding: "utf8" });
  expect(JSON.parse(stderr)).toMatchObject({ level: 40, msg: "something", campaignId: "cmp_1" });
});

it("is a readable line on a terminal, which tells no number either", () => {
  const quoted = [process.execPath, ...ARGUMENTS].map((each) => `'${each.replaceAll("'", "'\\''")}'`);
  const { stdout } = spawnSync(TERMINAL, ["-qec", quoted.join(" "), "/dev/null"], { encoding: "utf8" });
  const [line = ""] = stripVTControlCharacters(stdout).split(/\r?\n/);
  expect(line).toMatch(/^\[\d\d:\d\d:\d\d\] WARN: something .*"campaignId":"cmp_1"/);
  expect(stdout).not.toContain("905321112233");
});
