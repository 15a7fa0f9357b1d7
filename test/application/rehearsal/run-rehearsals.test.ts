import { setImmediate as round } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { PlayedRun } from "../../../application/ports/rehearsal-run.ts";
import type { TakeLimits, TakenRun, UsedTokens } from "../../../application/ports/rehearsals.ts";
import { type RunRehearsalsDeps, runRehearsals } from "../../../application/rehearsal/run-rehearsals.ts";
import type { TurnGate } from "../../../application/rehearsal/turn-gate.ts";
import type { OwnerId, RunId } from "../../../domain/shared/ids.ts";
import { createMetrics } from "../../../infrastructure/metrics.ts";
import { parseExposition, sampleValue } from "../../support/exposition.ts";
import { movingClock } from "../../support/moving-clock.ts";
import { recordingLogger } from "../../support/recording-logger.ts";

const PLAYED: PlayedRun = {
  ...{
    status: "passed",
    problem: null,
    failures: [],
    messages: [],
    outcome: null,
    endReason: "customer_ended",
  },
  ...{ turns: 2, toolCalls: 0, inputTokens: 300, outputTokens: 40, firstTokenMillis: 5, warnings: [] },
};
const LIMIT = 1_000;

function taken(n: number, more: Partial<TakenRun> = {}): TakenRun {
  const words = { case: {}, line: {} } as NonNullable<TakenRun["words"]>;
  return {
    ...{ rehearsalId: "rhl_1", owner: "usr_1", runId: `run_${n}`, lane: "candidate", n, caseIndex: 0 },
    ...{ begun: 1, connectionIds: [null], words, ...more },
  };
}

type Playing = {
  readonly runId: RunId;
  readonly gate: TurnGate;
  readonly stop: AbortSignal;
  readonly end: (played: PlayedRun | Error) => void;
};

/** A worker over a table of runs; what is played ends when the test says so. */
function world(waiting: TakenRun[], failing: { finish: number } = { finish: 0 }) {
  const clock = movingClock();
  const stop = new AbortController();
  const { metrics, metricsText } = createMetrics();
  const { logger, lines } = recordingLogger();
  const playing: Playing[] = [];
  const told: unknown[] = [];
  const lost = new Set<RunId>();
  const used = new Map<OwnerId, number>();
  const asked: TakeLimits[] = [];
  const deps: RunRehearsalsDeps = {
    ...{ clock, logger, metrics, processId: "one" },
    directory: { owner: async () => ({ plan: { maxModelTokensPerDay: LIMIT } }) as never },
    tokensOfDay: async (owner) => used.get(owner) ?? 0,
    calm: async () => undefined,
    talkedWith: () => new Set(),
    play: (gate, { runId }, signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<PlayedRun>();
      const end: Playing["end"] = (played) => (played instanceof Error ? reject(played) : resolve(played));
      signal.addEventListener("abort", () => end({ ...PLAYED, status: "error", problem: "It was stopped" }));
      playing.push({ runId, gate, stop: signal, end });
      return promise;
    },
    rehearsals: {
      take: async (limits) => {
        asked.push(limits);
        const at = waiting.findIndex(({ owner }) => !limits.notOwners.includes(owner));
        return at < 0 ? null : (waiting.splice(at, 1)[0] ?? null);
      },
      hold: async (runId) => !lost.has(runId),
      giveBack: async ({ runId }, _holder, tokens: UsedTokens) => {
        told.push(["given back", runId, tokens]);
        waiting.push(taken(Number(runId.slice(4))));
      },
      finish: async ({ runId }, _holder, { status, problem }) => {
        if (failing.finish > 0) {
          failing.finish -= 1;
          throw new Error("the database is away");
        }
        told.push([status, runId, problem]);
      },
      waitForTokens: async (owner, waits) => void told.push([waits ? "waits" : "goes on", owner]),
    },
  };
  const over = runRehearsals(deps, stop.signal);
  /** Everything that can run now has run. */
  const settled = async () => {
    for (let rounds = 0; rounds < 20; rounds += 1) await round();
  };
  const pass = async (millis: number) => {
    clock.advance(millis);
    await settled();
  };
  return { playing, told, lost, used, asked, waiting, stop, over, settled, pass, lines, metricsText };
}

describe("a worker of rehearsals", () => {
  it("plays ten at once, and takes the next when one has ended", async () => {
    const runs = Array.from({ length: 12 }, (_, n) => taken(n));
    const { playing, told, asked, settled, stop, over, metricsText } = world(runs);
    await settled();
    expect(playing).toHaveLength(10);
    expect(asked[0]).toMatchObject({ holder: "one", ttlMillis: 15_000, mostOfOwner: 4, notOwners: [] });
    playing[3]?.end(PLAYED);
    await settled();
    expect(playing).toHaveLength(11);
    expect(told.slice(-1)).toEqual([["passed", "run_3", null]]);
    for (const { end } of playing) end({ ...PLAYED, status: "failed" });
    await settled();
    playing.at(-1)?.end({ ...PLAYED, status: "error" });
    await settled();
    const page = parseExposition(await metricsText());
    const ended = ["passed", "failed", "error"].map((status) =>
      sampleValue(page, "ringfold_rehearsal_runs_total", { status }),
    );
    expect(ended).toEqual([1, 10, 1]);
    const direction = "input";
    expect(sampleValue(page, "ringfold_rehearsal_tokens_total", { direction })).toBe(12 * PLAYED.inputTokens);
    stop.abort();
    await over;
  });

  it("plays others in place of those that stand at a throttled connection, 40 with these", async () => {
    const runs = Array.from({ length: 60 }, (_, n) => taken(n, { connectionIds: [`conn_${n}`] }));
    const { playing, pass, stop, over } = world(runs);
    const throttle = (some: readonly Playing[]) => {
      for (const { runId, gate, stop } of some) {
        const connection = `conn_${Number(runId.slice(4))}` as const;
        gate.throttled(connection, 600_000);
        void gate.mayBegin(connection, stop);
      }
    };
    await pass(0);
    expect(playing).toHaveLength(10);
    throttle(playing.slice(0, 3));
    await pass(1_000);
    expect(playing).toHaveLength(13);
    for (const most of [23, 33, 40, 40]) {
      throttle(playing.slice(3));
      await pass(1_000);
      expect(playing).toHaveLength(most);
    }
    stop.abort();
    await over;
  });

  it("breaks off what was cancelled, whose tokens count", async () => {
    const { playing, told, lost, settled, pass, stop, over } = world([taken(1), taken(2)]);
    await settled();
    lost.add("run_2");
    await pass(2_000);
    expect(playing.map(({ stop: { aborted } }) => aborted)).toEqual([false, true]);
    expect(told.slice(-1)).toEqual([["error", "run_2", "It was stopped"]]);
    playing[0]?.end(PLAYED);
    await settled();
    expect(told.slice(-1)).toEqual([["passed", "run_1", null]]);
    stop.abort();
    await over;
  });

  it("gives back what it plays when it is stopped, with the tokens that were used", async () => {
    const { told, settled, stop, over } = world([taken(1)]);
    await settled();
    stop.abort();
    await over;
    expect(told.slice(-1)).toEqual([["given back", "run_1", expect.objectContaining({ inputTokens: 300 })]]);
  });

  it("gives up what was begun three times, and does not play what is erased", async () => {
    const { playing, told, settled, stop, over } = world([
      taken(1, { begun: 3 }),
      taken(2, { begun: 4 }),
      taken(3, { words: null }),
    ]);
    await settled();
    expect(playing.map(({ runId }) => runId)).toEqual(["run_1"]);
    expect(told.slice(-2)).toEqual([
      ["error", "run_2", expect.stringContaining("gave_up")],
      ["error", "run_3", expect.stringContaining("erased")],
    ]);
    stop.abort();
    await over;
  });

  it("waits for tokens of the plan, of that owner alone, and looks again after 15 s", async () => {
    const { playing, told, used, settled, pass, stop, over } = world([
      taken(1),
      taken(2, { owner: "usr_2" }),
    ]);
    used.set("usr_1", LIMIT);
    await settled();
    expect(playing.map(({ runId }) => runId)).toEqual(["run_2"]);
    const nothing = { inputTokens: 0, outputTokens: 0 };
    expect(told).toEqual([
      ["waits", "usr_1"],
      ["given back", "run_1", nothing],
      ["goes on", "usr_2"],
    ]);
    await pass(15_000);
    expect(told.slice(3)).toEqual([["waits", "usr_1"]]);
    used.set("usr_1", LIMIT - 1);
    await pass(15_000);
    expect(playing.map(({ runId }) => runId)).toEqual(["run_2", "run_1"]);
    expect(told.slice(4)).toEqual([["goes on", "usr_1"]]);
    stop.abort();
    await over;
  });

  it("stores a result when the database is back", async () => {
    const { playing, told, settled, pass, stop, over } = world([taken(1)], { finish: 2 });
    await settled();
    playing[0]?.end(PLAYED);
    await settled();
    await pass(200);
    await pass(400);
    expect(told.slice(-1)).toEqual([["passed", "run_1", null]]);
    stop.abort();
    await over;
  });

  it("tells a fault of its own as an error, in the log too", async () => {
    const { playing, told, lines, settled, stop, over } = world([taken(1)]);
    await settled();
    playing[0]?.end(new Error("a bug"));
    await settled();
    expect(told.slice(-1)).toEqual([["error", "run_1", expect.stringContaining("fault of this service")]]);
    expect(lines.map(({ level }) => level)).toContain("error");
    stop.abort();
    await over;
  });
});
