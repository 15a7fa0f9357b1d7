import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdir, readFile, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { drillClient } from "../../simulation/drills/drill-client.ts";
import { type DrillFolder, makeDrillFolder } from "../../simulation/drills/drill-folder.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { type Program, SERVICE, startProgram } from "../../simulation/drills/program.ts";
import { anything, campaignAnswer, contact, journalEntry, withId } from "../../simulation/drills/shapes.ts";
import { runProgram } from "./run-program.ts";

const CARRIER = join(import.meta.dirname, "../../programs/carrier.ts");
const PATIENCE = 60_000;
/** Without the guard a start dials the next contact within a second. */
const NOBODY_IS_DIALLED_MILLIS = 3_000;
const CONTACTS = 40;
const CALLED_BEFORE = 6;
const CALLED_SINCE = 13;

const readiness = z.object({
  error: z.object({ message: z.string() }).optional(),
  data: z.object({
    checks: z.array(
      z.object({ name: z.string(), ok: z.boolean(), detail: z.record(z.string(), z.unknown()) }),
    ),
  }),
});

describe("an older copy of DATA_DIR that is put back", () => {
  const key = randomBytes(24).toString("hex");
  let folder: DrillFolder;
  let carrier: Program;
  let service: Program;
  let env: Readonly<Record<string, string>>;
  const at = (name: string) => join(folder.path, name);

  beforeEach(async () => {
    folder = makeDrillFolder();
    const simulated = { SIMULATOR_SPEED: "100", SIMULATOR_MINUTE_MS: "100" };
    carrier = startProgram(
      CARRIER,
      { ...simulated, SIMULATOR_PORT: "0", SIMULATOR_DATA_DIR: at("carrier") },
      at("carrier.log"),
    );
    env = {
      ...simulated,
      PORT: "0",
      DATA_DIR: at("data"),
      BOOTSTRAP_API_KEY: key,
      SIMULATOR_URL: await carrier.listening,
      PLAN_MAX_CALLS_PER_SECOND: "1000",
      PLAN_MAX_CONCURRENT_CALLS: "40",
      LOG_LEVEL: "info",
    };
  }, PATIENCE);

  afterEach(async () => {
    await Promise.all([service.stop(), carrier.stop()]);
    await folder.remove();
  }, PATIENCE);

  const start = async (more: Readonly<Record<string, string>> = {}) => {
    service = startProgram(SERVICE, { ...env, ...more }, at("service.log"));
    await service.listening;
  };
  /** Of the world before the restore: it insists on positions that are lost with it. */
  const before = drillClient(() => service.listening, key);
  const client = drillClient(() => service.listening, key);
  const journal = async () => {
    const text = await (await fetch(`${await carrier.listening}/journal`)).text();
    const lines = text.split("\n").filter((line) => line !== "");
    return lines.map((line) => journalEntry.parse(JSON.parse(line)));
  };
  const numbersDialled = async () => (await journal()).map(({ to }) => to);
  const dialled = (count: number) =>
    eventually(`${count} dials`, async () => (await journal()).length >= count, PATIENCE);
  const copy = (from: string, to: string) => promisify(execFile)("cp", ["-a", at(from), at(to)]);
  const ready = async () => {
    const answer = await fetch(`${await service.listening}/health/ready`);
    const { error, data } = readiness.parse(await answer.json());
    const check = (name: string) => data.checks.find((each) => each.name === name);
    return {
      status: answer.status,
      message: error?.message ?? "",
      restored: check("restored")?.detail ?? {},
    };
  };
  const contacts = (id: string) => client.all(contact, `/api/v1/campaigns/${id}/contacts`);

  /** A copy made while the service stands still, calls made since, the copy put back. */
  async function restoreCopy() {
    await start();
    const assistant = { name: "Reminder", greetingMessage: "Hello.", systemPrompt: "You remind people." };
    const { id: assistantId } = await before.post(withId, "/api/v1/assistants", assistant);
    await before.post(anything, `/api/v1/assistants/${assistantId}/publish`);
    const number = { phoneNumber: "+15005550199" };
    const { id: phoneNumberId } = await before.post(withId, "/api/v1/phone-numbers", number);
    const { campaign } = await before.post(campaignAnswer, "/api/v1/campaigns", {
      name: "Restored",
      assistantId,
      phoneNumberId,
      contacts: Array.from({ length: CONTACTS }, (_, index) => ({ phoneNumber: `+1202555${1000 + index}` })),
      maxConcurrentCalls: 4,
      maxRetries: 1,
      retryOn: ["not_placed"],
    });
    await before.post(anything, `/api/v1/campaigns/${campaign.id}/start`);
    await dialled(CALLED_BEFORE);
    await service.stop();
    await copy("data", "copy");
    const earlier = new Set(await numbersDialled());
    await start();
    await dialled(earlier.size + CALLED_SINCE);
    await service.stop();
    const all = new Set(await numbersDialled());
    await rename(at("data"), at("lost"));
    await copy("copy", "data");
    return { id: campaign.id, phoneNumberId, assistantId, all, since: all.difference(earlier) };
  }

  it(
    "dials nobody who was called since; says so, and goes on with the others once it is accepted",
    async () => {
      const { id, phoneNumberId, assistantId, all, since } = await restoreCopy();
      await start();
      await wait(NOBODY_IS_DIALLED_MILLIS);
      expect((await numbersDialled()).length).toBe(all.size);

      const shut = await ready();
      const { calls, since: firstCall, accept } = shut.restored;
      expect([shut.status, calls]).toEqual([503, since.size]);
      expect(shut.message).toContain("restored");
      expect(accept).toMatch(/^ACCEPT_RESTORED=\S+$/);
      const firstOfThem = (await journal()).find(({ to }) => since.has(to));
      expect(firstCall).toBe(firstOfThem?.at);
      const log = await readFile(at("service.log"), "utf8");
      const lines = log.split("\n").filter((line) => line.includes("ACCEPT_RESTORED"));
      expect(lines).toEqual([expect.stringContaining(`${since.size} calls`)]);
      expect(lines[0]).toContain(accept);
      expect([...all].filter((number) => log.includes(number))).toEqual([]);

      const csv = (await readdir(at("data"))).filter((name) => /^restored-.*\.csv$/.test(name));
      expect(csv).toHaveLength(1);
      const file = join(at("data"), csv[0] ?? "");
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      const rows = (await readFile(file, "utf8")).trim().split("\n").slice(1);
      expect(new Set(rows.map((row) => row.split(",")[0]))).toEqual(since);

      expect((await contacts(id)).length).toBe(CONTACTS);
      const single = await fetch(`${await service.listening}/api/v1/calls/outbound`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ phoneNumberId, assistantId, to: "+15005550006" }),
      });
      expect([single.status, await single.json()]).toMatchObject([
        503,
        { error: { code: "CARRIER_UNAVAILABLE" } },
      ]);
      await service.stop();

      await start({ ACCEPT_RESTORED: "another" });
      expect((await ready()).restored).toMatchObject({ accept });
      await service.stop();

      await start({ ACCEPT_RESTORED: String(accept).replace("ACCEPT_RESTORED=", "") });
      await eventually("ready", async () => (await ready()).status === 200, PATIENCE);
      const pause = async () => {
        const { campaign } = await client.get(campaignAnswer, `/api/v1/campaigns/${id}`);
        return campaign.status === "PAUSED" ? campaign.pauseReason : undefined;
      };
      expect(await eventually("the pause to be seen", pause, PATIENCE)).toBe("manual");
      expect((await numbersDialled()).length).toBe(all.size);
      const ended = (await contacts(id)).filter(
        ({ attempts }) => attempts.at(-1)?.endReason === "outcome_unknown",
      );
      expect(new Set(ended.map(({ phoneNumber }) => phoneNumber))).toEqual(since);
      expect(ended.every(({ status }) => status === "failed")).toBe(true);

      await client.patch(anything, `/api/v1/campaigns/${id}`, { maxConcurrentCalls: 40 });
      await client.post(anything, `/api/v1/campaigns/${id}/resume`);
      const left = async () => (await contacts(id)).filter(({ status }) => status === "pending").length;
      await eventually("everybody's turn", async () => (await left()) === 0, PATIENCE);
      const unknown = (await contacts(id)).filter(({ attempts }) =>
        attempts.some(({ endReason }) => endReason === "outcome_unknown"),
      );
      expect(new Set(unknown.map(({ phoneNumber }) => phoneNumber))).toEqual(since);
      // A call that stands in the copy without its end is looked up first.
      expect(unknown.filter(({ status }) => status !== "failed" && status !== "dialing")).toEqual([]);
      // One that was about to be dialled when the copy was made was not placed, and waits for half a minute.
      const notPlaced = (await contacts(id)).filter(({ attempts }) =>
        attempts.every(({ endReason }) => endReason === "not_placed"),
      );
      const called = CONTACTS - notPlaced.length;
      const everyone = await eventually(
        "all dials",
        async () => {
          const numbers = await numbersDialled();
          return numbers.length >= called ? numbers : undefined;
        },
        PATIENCE,
      );
      expect([everyone.length, new Set(everyone).size]).toEqual([called, called]);

      await service.stop();
      const told = await runProgram("replay.ts", [id], env);
      expect(told.stdout.match(/already called by a call that this log does not know/g)).toHaveLength(
        since.size,
      );
      const verified = await runProgram("replay.ts", [id, "--verify"], env);
      expect([verified.code, verified.stderr]).toEqual([0, ""]);
      // What was accepted is not asked for again, though it was less than a minute ago.
      await start();
      await eventually("ready", async () => (await ready()).status === 200, PATIENCE);
    },
    6 * PATIENCE,
  );
});
