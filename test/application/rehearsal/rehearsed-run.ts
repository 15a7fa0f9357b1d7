import { setImmediate } from "node:timers/promises";
import type { LanguageModels, ModelRequest } from "../../../application/ports/language-model.ts";
import type { PinnedSpeaker } from "../../../application/ports/pinned-conversations.ts";
import type { FrozenLine, RunToPlay } from "../../../application/ports/rehearsal-run.ts";
import type { PinnedTool } from "../../../application/ports/tool-runner.ts";
import { playRun } from "../../../application/rehearsal/play-run.ts";
import type { RunWorld } from "../../../application/rehearsal/run-world.ts";
import type { RehearsedCase } from "../../../domain/rehearsal/rehearsal.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import { plainCodec } from "../../../infrastructure/log/codec.ts";
import { createMemoryEventStore } from "../../../infrastructure/log/memory/event-store.ts";
import { seededRandom } from "../../../simulation/campaigns/seeded-random.ts";
import { createVirtualClock, type VirtualClock } from "../../../simulation/campaigns/virtual-clock.ts";
import { silentLogger, silentMetrics } from "../../../simulation/memory/silent.ts";
import { scriptedModel } from "../../../simulation/model/scripted-model.ts";
import { SPEAKER } from "../../support/conversation/conversation-world.ts";
import { type Answer, scriptedModels } from "../../support/conversation/scripted-models.ts";

const WORDS = ["Fine, thank you."];

/** The model of an installation without one. */
export const SCRIPTED: LanguageModels = { open: async (_owner, _connection, seed) => scriptedModel(seed) };

/** Lets the time of the house pass until the work is done: as fast as everything that runs in it. */
export async function passing<T>(house: VirtualClock, work: Promise<T>): Promise<T> {
  let settled = false;
  const settle = () => {
    settled = true;
  };
  work.then(settle, settle);
  while (!settled) {
    // A run looks at its timers in turns of its own.
    for (let turns = 0; turns < 8; turns += 1) await setImmediate();
    house.advance();
  }
  return work;
}

export const houseClock = (): VirtualClock => createVirtualClock(0, seededRandom(1));

export const API_TOOL: PinnedTool = {
  toolId: "tool_1",
  name: "Find appointment",
  functionName: "find_appointment",
  type: "API_REQUEST",
  description: "Finds an appointment by its day.",
  config: { method: "GET", url: "https://example.test/appointments?day={day}" },
};

export function tool(changes: Partial<PinnedTool>): PinnedTool {
  return { ...API_TOOL, ...changes };
}

type Played = {
  /** What the customer says, turn by turn. */
  readonly says?: readonly string[];
  readonly case?: Partial<RehearsedCase>;
  readonly speaker?: Partial<PinnedSpeaker>;
  readonly speakers?: readonly PinnedSpeaker[];
  readonly line?: Partial<FrozenLine>;
  readonly answer?: (request: ModelRequest, number: number) => Answer;
  readonly world?: Partial<Omit<RunWorld, "clock">>;
  readonly stop?: AbortSignal;
};

/** Plays one case; with `answer` its model is one that takes time. */
export async function played({ says = WORDS, answer, stop, ...settings }: Played = {}) {
  const clock = houseClock();
  const scripted = answer === undefined ? null : scriptedModels(clock, answer);
  const throttled: (number | null)[] = [];
  const world: RunWorld = {
    clock,
    turn: () => setImmediate(),
    ids: systemIds,
    openLog: (ofRun) => createMemoryEventStore(ofRun),
    codec: plainCodec,
    models: scripted?.models ?? SCRIPTED,
    simulatedCallee: () => Promise.reject(new Error("nobody is simulated here")),
    mayBegin: async () => undefined,
    throttled: (_connection, millis) => throttled.push(millis),
    metrics: silentMetrics,
    logger: silentLogger,
    ...settings.world,
  };
  const speakers = settings.speakers ?? [{ ...SPEAKER, ...settings.speaker }];
  const run: RunToPlay = {
    runId: "run_1",
    owner: "usr_1",
    lane: "candidate",
    n: 1,
    line: {
      conversation: { version: 1, owner: "usr_1", squadId: null, squadName: null, speakers },
      voicemailPolicy: "hang_up",
      voicemailMessage: null,
      maxDurationSeconds: 300,
      outcome: null,
      samples: {},
      ...settings.line,
    },
    case: {
      name: "a case",
      caller: { kind: "written", turns: says.map((text) => ({ kind: "words", text })) },
      at: "2026-09-01T10:00:00.000Z",
      contact: { name: null, customData: null, timezone: null },
      greetingMessage: null,
      specialInstructions: null,
      tools: {},
      expect: [],
      passAt: 1,
      maxTurns: 10,
      ...settings.case,
    },
  };
  const began = performance.now();
  const result = await passing(clock, playRun(world, run, stop ?? new AbortController().signal));
  const words = result.messages.map(
    ({ role, kind, content, intended }) =>
      `${kind ?? role}: ${content}${intended == null ? "" : `|${intended.slice(content?.length)}`}`,
  );
  return {
    ...result,
    words,
    requests: scripted?.requests ?? [],
    throttled,
    millis: performance.now() - began,
  };
}
