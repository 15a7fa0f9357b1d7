import { afterAll, beforeAll, expect, it } from "vitest";
import type { ConnectionTurn } from "../../../domain/admission/requests.ts";
import type { CallId, CampaignId, OwnerId } from "../../../domain/shared/ids.ts";
import { millisOf } from "../../../domain/shared/instant.ts";
import { tellLimits } from "../../../infrastructure/postgres/process-limits.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import {
  type AdmissionWorld,
  ask,
  grantedCalls,
  hangUp,
  someCalls,
  someCampaign,
  someConnection,
  someOwner,
} from "./admission-world.ts";
import { type TwoProcesses, twoProcesses } from "./two-processes.ts";

let processes: TwoProcesses;
let here: AdmissionWorld;
let there: AdmissionWorld;
beforeAll(async () => {
  processes = await twoProcesses();
  ({ here, there } = processes);
});
afterAll(() => processes.end());

type Runner = {
  readonly world: AdmissionWorld;
  readonly owner: OwnerId;
  readonly campaignId: CampaignId;
  readonly connection: ConnectionTurn;
};

/**
 * A campaign as its runner goes: it asks, dials at once, and asks again when it is woken.
 * Answers when it dialled.
 */
async function dials({ world, owner, ...campaign }: Runner, millis: number): Promise<readonly number[]> {
  const until = performance.now() + millis;
  const times: number[] = [];
  while (performance.now() < until) {
    const woken = Promise.withResolvers<void>();
    const stop = world.admission.onWake((wake) => {
      if (wake.campaignId === campaign.campaignId) woken.resolve();
    });
    const { granted, refusal } = await ask(world, owner, someCalls(20), campaign);
    times.push(...granted.map(({ dialAt }) => millisOf(dialAt)));
    await hangUp(
      world,
      granted.map(({ callId }) => callId),
    );
    const rest = new Promise<void>((resolve) => setTimeout(resolve, Math.max(0, until - performance.now())));
    if (refusal !== null) await Promise.race([woken.promise, rest]);
    stop();
  }
  return times;
}

it("keeps the pace of a slow connection over two processes and three owners, and a quick one goes on beside it", async () => {
  const owners = await Promise.all([1, 2, 3].map(() => someOwner(here, { maxConcurrentCalls: 1_000 })));
  const slow = someConnection({ callsPerSecond: 10 });
  const quick = someConnection({ callsPerSecond: 200 });
  const runners = (connection: ConnectionTurn): Runner[] =>
    owners.flatMap((owner) =>
      [here, there].map((world) => ({ world, owner, connection, campaignId: someCampaign() })),
    );
  const began = millisOf(await here.now());
  const [slowly, quickly] = await Promise.all(
    [slow, quick].map((connection) => Promise.all(runners(connection).map((runner) => dials(runner, 3_000)))),
  );
  const all = (times: readonly (readonly number[])[] = []) => times.flat().sort((a, b) => a - b);
  const gapsOf = (times: readonly number[]) =>
    times.slice(1).map((time, index) => time - (times[index] ?? 0));
  // Whole milliseconds: two turns may each be rounded up by less than one.
  expect(Math.min(...gapsOf(all(slowly)))).toBeGreaterThan(99);
  expect(Math.min(...gapsOf(all(quickly)))).toBeGreaterThanOrEqual(4);
  // In 3 s, and 2 s ahead, no turn of the slow one was left out for long. The quick one has 20 times as many:
  // on a busy machine its runners cannot ask for all of them.
  const within = (times: readonly number[]) => times.filter((at) => at < began + 3_000).length;
  expect(within(all(slowly))).toBeGreaterThanOrEqual(28);
  expect(within(all(quickly)) / within(all(slowly))).toBeGreaterThan(5);
  // Of 30 turns for six runners none gets nothing: how even it is depends on who is awake to ask.
  expect(Math.min(...(slowly ?? []).map((times) => times.length))).toBeGreaterThanOrEqual(1);
});

it("grants no more than all processes together hold, and gives the last one to one of them", async () => {
  const limits = { text: 6, audio: 6 };
  const one = await tellLimits(processes.database.pool, silentLogger, { processId: "here", ...limits });
  const other = await tellLimits(processes.database.pool, silentLogger, { processId: "there", ...limits });
  const owners = await Promise.all([1, 2, 3, 4].map(() => someOwner(here)));
  const open = new Set<CallId>();
  let most = 0;
  const worker = async (world: AdmissionWorld, owner: OwnerId) => {
    for (let round = 0; round < 15; round += 1) {
      const granted = grantedCalls(await ask(world, owner, someCalls(3)));
      for (const call of granted) open.add(call);
      most = Math.max(most, open.size);
      await new Promise((resolve) => setTimeout(resolve, 2));
      // Not counted any more before it is closed: what is counted is surely open.
      for (const call of granted) open.delete(call);
      await hangUp(round % 2 === 0 ? here : there, granted);
    }
  };
  await Promise.all(owners.flatMap((owner) => [worker(here, owner), worker(there, owner)]));
  expect(most).toBeLessThanOrEqual(12);
  expect(most).toBeGreaterThanOrEqual(6);
  const held = (await ask(here, owners[0] ?? "usr_", someCalls(10))).granted;
  expect((await ask(there, owners[1] ?? "usr_", someCalls(10))).granted).toHaveLength(12 - held.length);
  await other.stop();
  const full = { granted: [], refusal: "capacity" };
  expect(await ask(there, owners[2] ?? "usr_", someCalls(1))).toEqual(full);
  await one.stop();
});

it("forgets the limit of a process that is silent, but not the calls that it opened", async () => {
  const { pool } = processes.database;
  await pool.query("update work.processes set alive_at = clock_timestamp() - interval '10 seconds'");
  await pool.query("update work.processes set text_limit = 20, audio_limit = 20 where id = 'there'");
  const owner = await someOwner(here, { maxConcurrentCalls: 100 });
  const before = (await ask(here, owner, someCalls(100))).granted.length;
  expect(before).toBe(20 + 6 - 12);
  await pool.query("update work.processes set alive_at = clock_timestamp() - interval '21 seconds'");
  await eventually("the processes to be old", async () => (await ask(here, owner, someCalls(1))).refusal);
  expect(await ask(here, owner, someCalls(1))).toEqual({ granted: [], refusal: "capacity" });
});
