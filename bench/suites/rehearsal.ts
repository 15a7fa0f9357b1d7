import { monitorEventLoopDelay } from "node:perf_hooks";
import process from "node:process";
import type { TakenRun } from "../../application/ports/rehearsals.ts";
import { runRehearsals } from "../../application/rehearsal/run-rehearsals.ts";
import { runPlayer } from "../../composition/open-rehearsals.ts";
import type { ConnectionId, OwnerId } from "../../domain/shared/ids.ts";
import { systemClock } from "../../infrastructure/clock.ts";
import { createPostgresEventStore } from "../../infrastructure/log/postgres/event-store.ts";
import { openLoopDelay } from "../../infrastructure/rehearsal/loop-delay.ts";
import { silentLogger, silentMetrics } from "../../simulation/memory/silent.ts";
import { scriptedModel } from "../../simulation/model/scripted-model.ts";
import { SPEAKER } from "../../test/support/conversation/conversation-world.ts";
import { openBenchDatabase } from "../bench-database.ts";
import type { Benchmark, Result } from "../benchmark.ts";
import { talkLive } from "../live-conversations.ts";
import { OURS, row } from "../rows.ts";

const CASES = Number(process.env["REHEARSAL_CASES"] ?? 50);
const REPEAT = 5;
const LIVE = Number(process.env["CONVERSATION_COUNT"] ?? 300);
const SAYS = ["Yes, speaking.", "What is it about?", "Could you tell me more?", "Good, thanks. Bye."];

/**
 * Rehearsals in one process: how many cases a core plays with the scripted model, and what live conversations
 * beside them feel of it. Rows of runs are in memory.
 */
export const benchmark: Benchmark = { name: "rehearsal", run: ({ log }) => measure(log) };

async function measure(log: (line: string) => void): Promise<Result> {
  await rehearse(runsOf("usr_0", CASES)); // warms up
  log(`${CASES} cases alone`);
  const used = process.cpuUsage();
  const alone = await rehearse(runsOf("usr_1", CASES));
  const { user, system } = process.cpuUsage(used);

  const database = await openBenchDatabase();
  const eventStore = createPostgresEventStore(silentLogger, { connection: database.connection });
  log(`${CASES} × ${REPEAT} runs beside ${LIVE} live conversations at another connection`);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const answers: number[] = [];
  const besideThem = async () => {
    await systemClock.sleep(BEGUN_AFTER_MILLIS);
    answers.length = 0;
    delay.enable();
    const millis = await rehearse(runsOf("usr_2", CASES * REPEAT));
    delay.disable();
    return { millis, answered: [...answers] };
  };
  const [beside] = await Promise.all([
    besideThem(),
    talkLive(eventStore, LIVE, (millis) => answers.push(millis)),
  ]);
  const settings = await database.settings();
  await eventStore.close();
  await database.stop();
  return {
    benchmark: "rehearsal",
    settings: { ...settings, cases: CASES, repeat: REPEAT, conversations: LIVE, model: "scripted" },
    rows: [
      row(`${CASES} cases of four turns, alone`, "s", { [OURS]: alone / 1_000 }, { atMost: 3 }),
      row("processor time of a case", "ms", { [OURS]: (user + system) / 1_000 / CASES }),
      row(
        "event loop beside live conversations, p99",
        "ms",
        { [OURS]: delay.percentile(99) / 1e6 },
        { atMost: 20 },
      ),
      row(
        "last word of a live customer to first token, p95",
        "ms",
        { [OURS]: p95(beside.answered) },
        { atMost: 30 },
      ),
      row(`${CASES} × ${REPEAT} runs beside them`, "s", { [OURS]: beside.millis / 1_000 }),
    ],
  };
}

/** All conversations have arrived, and none has ended. */
const BEGUN_AFTER_MILLIS = 10_000;

/** Milliseconds until all of them have ended. Throws when one of them did not pass. */
async function rehearse(waiting: TakenRun[]): Promise<number> {
  const loop = openLoopDelay(silentMetrics);
  const stop = new AbortController();
  const models = {
    open: async (_owner: OwnerId, _id: ConnectionId | null, seed: string) => scriptedModel(seed),
  };
  const problems: string[] = [];
  let left = waiting.length;
  const began = performance.now();
  let millis = 0;
  await runRehearsals(
    {
      rehearsals: {
        take: async () => waiting.shift() ?? null,
        hold: async () => true,
        giveBack: async () => undefined,
        finish: async ({ runId }, _holder, { status, problem }) => {
          if (status !== "passed") problems.push(`${runId} ${status}: ${problem}`);
          left -= 1;
          if (left > 0) return;
          millis = performance.now() - began;
          stop.abort();
        },
        waitForTokens: async () => undefined,
      },
      play: runPlayer(models, silentLogger),
      directory: { owner: async () => null },
      ...{
        calm: loop.calm,
        talkedWith: () => new Set<ConnectionId | null>(),
        clock: systemClock,
        processId: "bench",
      },
      ...{ logger: silentLogger, metrics: silentMetrics },
    },
    stop.signal,
  );
  loop.close();
  if (problems.length > 0) throw new Error(problems.slice(0, 3).join("; "));
  return millis;
}

function runsOf(owner: OwnerId, count: number): TakenRun[] {
  return Array.from({ length: count }, (_, caseIndex) => ({
    ...{ rehearsalId: "rhl_1", owner, runId: `run_${owner}${caseIndex}`, lane: "candidate", n: 1, caseIndex },
    ...{ begun: 1, connectionIds: [null] },
    words: {
      line: {
        conversation: { version: 1, owner, squadId: null, squadName: null, speakers: [SPEAKER] },
        ...{ voicemailPolicy: "hang_up", voicemailMessage: null, maxDurationSeconds: 300 },
        ...{ outcome: null, samples: {} },
      },
      case: {
        name: `case ${caseIndex}`,
        caller: { kind: "written", turns: SAYS.map((text) => ({ kind: "words", text })) },
        at: "2026-09-01T10:00:00.000Z",
        contact: { name: null, customData: null, timezone: null },
        ...{ greetingMessage: null, specialInstructions: null, tools: {} },
        ...{ expect: [{ turnsAtMost: 10 }], passAt: 1, maxTurns: 10 },
      },
    },
  }));
}

function p95(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? Number.NaN;
}
