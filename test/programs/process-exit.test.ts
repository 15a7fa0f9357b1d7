import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import process from "node:process";
import { describe, expect, it } from "vitest";

const url = (file: string) => new URL(`../../${file}`, import.meta.url).href;
const HEAD = `
  import { setTimeout as delay } from "node:timers/promises";
  import { createLogger } from "${url("infrastructure/logger.ts")}";
  import { runProgram } from "${url("programs/process-exit.ts")}";
  const logger = createLogger("info");
`;
const ENDS_BY_ITSELF = 3;
const WAS_STOPPED = 4;
/** Every write to it fails with ENOSPC. */
const FULL_DISK = "/dev/full";

/** A program with this `main`. */
function program(main: string, stderr: number | "pipe"): ChildProcess {
  const text = `${HEAD} runProgram(async (stop) => { ${main}; return stop.aborted ? ${WAS_STOPPED} : ${ENDS_BY_ITSELF}; });`;
  return spawn(process.execPath, ["--input-type=module", "-e", text], {
    stdio: ["ignore", "ignore", stderr],
  });
}
async function codeOf(child: ChildProcess): Promise<unknown> {
  const [code] = await once(child, "exit");
  return code;
}

describe("a program whose log cannot be written", () => {
  it("because nobody reads it any more is stopped", async () => {
    const child = program('await delay(500); logger.info({}, "nobody"); await delay(100)', "pipe");
    child.stderr?.destroy();
    expect(await codeOf(child)).toBe(WAS_STOPPED);
  });

  it.runIf(existsSync(FULL_DISK))("because the disk is full goes on", async () => {
    const full = openSync(FULL_DISK, "w");
    const main = 'logger.info({}, "no room"); process.stderr.write("no room"); await delay(100)';
    const code = await codeOf(program(main, full));
    closeSync(full);
    expect(code).toBe(ENDS_BY_ITSELF);
  });
});
