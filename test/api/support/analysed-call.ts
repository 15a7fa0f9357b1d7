import { randomUUID } from "node:crypto";
import { callStream } from "../../../application/log/stream-names.ts";
import { openStores } from "../../../composition/open-stores.ts";
import { callDecider } from "../../../domain/call/decider.ts";
import type { CallAnalysed } from "../../../domain/call/events.ts";
import { isCallEvent } from "../../../domain/event-kinds.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { plusMillis } from "../../../domain/shared/instant.ts";
import { createPostgresAnalyses } from "../../../infrastructure/analyses/postgres-analyses.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { eventsToAppend } from "../../../simulation/memory/subject-keys.ts";
import type { TestService } from "./service.ts";

type Told = Partial<Omit<CallAnalysed["data"], "callId" | "analysisId" | "at">>;

/** What happens to a wish to know what a call brought home; wished: nothing yet. */
export type Answer = "wished" | "failed" | Told;

/** Appends a wish and its answer to a call's stream, as the service decides; returns the analysisId. */
export async function analyse(
  { config }: Pick<TestService, "config">,
  callId: CallId,
  answer: Answer,
): Promise<string> {
  const stores = await openStores(config, silentLogger, "tool");
  try {
    const stored = await stores.eventStore.read(callStream(callId));
    const decoded = await stores.codec.decode(stored);
    let state = callDecider.initialState();
    for (const each of decoded)
      if (each.kind === "event" && isCallEvent(each.recorded.event))
        state = callDecider.evolve(state, each.recorded.event);
    const analysisId = state.pendingAnalysis ?? randomUUID();
    const now = systemClock.now();
    const wish = callDecider.decide({ type: "RequestAnalysis", ...WISH, analysisId, now }, state);
    for (const event of wish) state = callDecider.evolve(state, event);
    const answered =
      answer === "wished"
        ? []
        : answer === "failed"
          ? callDecider.decide({ type: "FailAnalysis", ...FAILURE, analysisId, now }, state)
          : callDecider.decide({ type: "RecordAnalysis", ...TOLD, ...answer, analysisId, now }, state);
    const { owner } = state;
    if (owner === null) throw new Error(`${callId} is no call`);
    // The service's own clock of analyses knows the wish, and looks at it in a year.
    const analyses = createPostgresAnalyses(stores.database.pool);
    await analyses.wished({ analysisId, callId, owner, tries: 0 }, plusMillis(now, YEAR_MILLIS));
    const events = await eventsToAppend(stores.codec, owner, [...wish, ...answered]);
    await stores.eventStore.append(callStream(callId), stored.length - 1, events);
    return analysisId;
  } finally {
    await stores.close();
  }
}

const YEAR_MILLIS = 365 * 86_400_000;
const WISH = {
  assistantId: "ast_1",
  assistantVersion: 1,
  schemaHash: "0".repeat(64),
  by: "engine",
} as const;

const FAILURE = { reason: "not_valid", tries: 2, model: null } as const;

const TOLD = {
  fields: {},
  evidence: {},
  unsupported: [],
  summary: null,
  success: null,
  truncated: false,
  model: { name: "scripted", inputTokens: null, outputTokens: null },
} as const;
