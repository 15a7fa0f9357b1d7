import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../../application/ports/clock.ts";
import type { LanguageModels, ModelRequest } from "../../../application/ports/language-model.ts";
import type { PinnedSpeaker } from "../../../application/ports/pinned-conversations.ts";
import type { FrozenLine, RunToPlay } from "../../../application/ports/rehearsal-run.ts";
import type { PinnedTool } from "../../../application/ports/tool-runner.ts";
import { playRun, type RunWorld } from "../../../application/rehearsal/play-run.ts";
import type { RehearsedCase } from "../../../domain/rehearsal/rehearsal.ts";
import { instantFromMillis } from "../../../domain/shared/instant.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import { plainCodec } from "../../../infrastructure/log/codec.ts";
import { createMemoryEventStore } from "../../../infrastructure/log/memory/event-store.ts";
import { silentLogger, silentMetrics } from "../../../simulation/memory/silent.ts";
import { scriptedModel } from "../../../simulation/model/scripted-model.ts";
import { SPEAKER } from "../../support/conversation/conversation-world.ts";
import { type Answer, scriptedModels } from "../../support/conversation/scripted-models.ts";

const WORDS = ["Fine, thank you."];

/** The model of an installation without one. */
export const SCRIPTED: LanguageModels = { open: async (_owner, _connection, seed) => scriptedModel(seed) };

/** Real time, so many times faster. */
export function fastClock(times: number): Clock {
  const millis = () => performance.now() * times;
  return {
    now: () => instantFromMillis(Math.floor(millis())),
    nowMillis: () => Math.floor(millis()),
    monotonicMillis: millis,
    sleep: (wait, signal) => systemClock.sleep(wait / times, signal),
  };
}

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
  readonly world?: Partial<RunWorld>;
  readonly stop?: AbortSignal;
};

/** Plays one case; with `answer` its model is one that takes time. */
export async function played({ says = WORDS, answer, stop, ...settings }: Played = {}) {
  const clock = settings.world?.clock ?? fastClock(200);
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
  const result = await playRun(world, run, stop ?? new AbortController().signal);
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
