import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ErasedCall } from "../../../application/ports/erasures.ts";
import { erasuresFile } from "../../../infrastructure/personal-data/erasures-file.ts";

const AT = "2026-11-20T10:00:00.000Z";
const OWNER = "usr_01k4b2s9h3e8t9v0w1x2y3z4a5";
const ERASURE = "ers_01k4b2s9h3e8t9v0w1x2y3z4a5";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ringfold-erasures-file-"));
  path = join(folder, "apart", "erasures.jsonl");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const call = (number: number): ErasedCall => ({
  callId: `call_01k4b2s9h3e8t9v0w1x2y3${String(number).padStart(4, "0")}`,
  owner: OWNER,
  erasureId: ERASURE,
});
const pages = () => Array.fromAsync(erasuresFile(path).read());

describe("ERASURES_FILE", () => {
  it("is made with its folder for the service alone, and what was written is read again", async () => {
    expect(await pages()).toEqual([]);
    await erasuresFile(path).add([], AT);
    await expect(stat(path)).rejects.toThrow("ENOENT");
    await erasuresFile(path).add([call(1), call(2)], AT);
    await erasuresFile(path).add([call(3)], AT);
    expect(await pages()).toEqual([[call(1), call(2), call(3)]]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const [first] = (await readFile(path, "utf8")).split("\n").filter((text) => text !== "");
    expect(JSON.parse(first ?? "")).toEqual({ ...call(1), at: AT });
  });

  it("names deleted campaigns beside erased calls", async () => {
    const campaign = { campaignId: "cmp_01k4b2s9h3e8t9v0w1x2y3z4a5", owner: OWNER } as const;
    await erasuresFile(path).add([call(1), campaign], AT);
    expect(await pages()).toEqual([[call(1), campaign]]);
  });

  it("is read in pages of 500", async () => {
    const calls = Array.from({ length: 1_001 }, (_, number) => call(number));
    await erasuresFile(path).add(calls, AT);
    const read = await pages();
    expect(read.map(({ length }) => length)).toEqual([500, 500, 1]);
    expect(read.flat()).toEqual(calls);
    await rm(path);
    await erasuresFile(path).add(calls.slice(0, 500), AT);
    expect((await pages()).map(({ length }) => length)).toEqual([500]);
  });

  it("does not lose the erasure that is written after a line that a crash cut short", async () => {
    await erasuresFile(path).add([call(1)], AT);
    const whole = JSON.stringify({ ...call(2), at: AT });
    for (const cut of [1, 20, whole.length - 1]) await appendFile(path, `\n${whole.slice(0, cut)}`);
    await appendFile(path, "\n\0\0\0");
    await erasuresFile(path).add([call(3)], AT);
    expect(await pages()).toEqual([[call(1), call(3)]]);
  });

  it.each([
    ["is not JSON", "{callId}"],
    ["lacks its owner", JSON.stringify({ callId: call(2).callId, erasureId: ERASURE, at: AT })],
    ["has an id of another kind", JSON.stringify({ ...call(2), callId: OWNER })],
    ["was moved to the right", ` ${JSON.stringify(call(2))}x`],
  ])("is refused, with the place, when a line %s: its call would come back unnoticed", async (_, text) => {
    await erasuresFile(path).add([call(1)], AT);
    await writeFile(path, `${await readFile(path, "utf8")}${text}\n`);
    await expect(pages()).rejects.toThrow(`${path}, line 3: this is no erased call and no deleted campaign`);
  });
});
