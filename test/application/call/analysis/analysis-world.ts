import type { AnalysisSettings } from "../../../../application/ports/analyses.ts";
import type {
  AnalysisLimits,
  AnalysisModels,
  AnalysisQuestion,
  AnalysisReply,
} from "../../../../application/ports/analysis-model.ts";
import type { CarrierEvent } from "../../../../application/ports/carrier.ts";
import { ModelFailure, type ModelFailureKind } from "../../../../application/ports/language-model.ts";
import type { AnalysisModel } from "../../../../domain/call/events.ts";
import type { OutcomeSettings } from "../../../../domain/outcome/settings.ts";
import type { CallId, OwnerId } from "../../../../domain/shared/ids.ts";
import {
  ASSISTANT,
  CALLER,
  type engineProcess,
  OWNER,
  PHONE_NUMBER,
  type Stores,
  sharedStores,
  until,
} from "../../engine-world.ts";

export const OUTCOME: OutcomeSettings = {
  summary: true,
  fields: [
    { name: "kept", type: "boolean", description: "Whether the appointment is kept" },
    { name: "day", type: "date", description: "The day that was agreed" },
  ],
  success: { field: "kept", in: [true] },
};
/** Message 0 is the assistant's greeting, 1 the customer's answer. */
export const ANSWER = {
  summary: "The appointment is kept.",
  fields: { kept: { messages: [1], value: true }, day: { messages: [], value: null } },
};
export const TOKENS: AnalysisModel = { name: "gpt", inputTokens: 1_000, outputTokens: 50 };

/** What the model does with one question. An answer takes `millis` (default 200), and so does a failure. */
export type Turn =
  | { readonly answer: unknown; readonly millis?: number }
  | {
      readonly fails: ModelFailureKind;
      readonly used?: AnalysisModel;
      readonly retryAfterMillis?: number;
      readonly millis?: number;
    }
  /** Says nothing until it is asked to stop; `deaf`: not even then. */
  | { readonly hangs: true; readonly deaf?: boolean };

type AskedModel = {
  readonly owner: OwnerId;
  readonly settings: AnalysisSettings;
  readonly question: AnalysisQuestion;
  readonly at: number;
};

/** As a server: each request takes time, ends at an abort, and its failure has the tokens that it took. */
export function fakeModels(clock: Stores["clock"], turns: Turn[] = []) {
  const asked: AskedModel[] = [];
  let most = 0;
  let atOnce = 0;
  const models: AnalysisModels = {
    ask: async (owner, settings, question, limits) => {
      asked.push({ owner, settings, question, at: clock.nowMillis() });
      atOnce += 1;
      most = Math.max(most, atOnce);
      try {
        return await reply(clock, turns.shift() ?? { answer: ANSWER }, limits);
      } finally {
        atOnce -= 1;
      }
    },
  };
  return { models, asked, mostAtOnce: () => most };
}

async function reply(clock: Stores["clock"], turn: Turn, { signal }: AnalysisLimits): Promise<AnalysisReply> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const isDeaf = "hangs" in turn && turn.deaf === true;
  const onAbort = () => reject(new ModelFailure("aborted", "The request was closed"));
  if (!isDeaf) signal.addEventListener("abort", onAbort);
  aborted.catch(() => undefined);
  if ("hangs" in turn) return aborted;
  await Promise.race([clock.sleep(turn.millis ?? 200), aborted]);
  if ("answer" in turn) return { answer: turn.answer, model: TOKENS };
  throw new ModelFailure(turn.fails, "It failed", turn.retryAfterMillis ?? null, turn.used ?? null);
}

/** Assistants of this owner ask what their calls brought home. */
export async function storesThatAsk(outcome: OutcomeSettings | null = OUTCOME): Promise<Stores> {
  const stores = sharedStores();
  await publish(stores, 1, outcome);
  return stores;
}

export async function publish({ directory }: Stores, version: number, outcome: OutcomeSettings | null) {
  const found = await directory.assistantVersion(OWNER, ASSISTANT, 1);
  if (found === null) throw new Error("The world has no assistant");
  directory.publish(OWNER, { ...found, version, outcome, model: `gpt-${version}` });
}

export type Process = ReturnType<typeof engineProcess>;

/** A call that was answered, and what its carrier tells of it. */
export async function answeredCall(
  stores: Stores,
  process: Process,
  answeredBy: "human" | "machine" = "human",
) {
  const callId = await startedCall(stores, process);
  let sequence = 0;
  const tell = (event: object) => {
    sequence += 1;
    const occurredAt = stores.clock.now();
    const of = {
      callId,
      carrierRef: `ref-${callId}`,
      sequence,
      occurredAt,
      dedupeKey: `${callId}-${sequence}`,
    };
    return until(stores, process.sink({ ...of, ...event } as CarrierEvent));
  };
  const message = (role: "assistant" | "customer", content: string) =>
    tell({ type: "message", role, assistantId: role === "assistant" ? ASSISTANT : null, content });
  await tell({ type: "answered", answeredBy });
  await tell({ type: "conversation_started" });
  return {
    callId,
    assistantSays: (content: string) => message("assistant", content),
    say: (content: string) => message("customer", content),
    end: () =>
      tell({
        ...{ type: "ended", answeredAt: null, answeredBy: null, recordingExpected: false, carrierCode: null },
        ...{ endReason: "customer_ended", endedBy: "customer" },
      }),
  };
}

/** One that is over: its customer said yes. */
export async function endedCall(stores: Stores, process: Process): Promise<CallId> {
  const { callId, assistantSays, say, end } = await answeredCall(stores, process);
  await assistantSays("Do you keep the appointment?");
  await say("Yes, I do");
  await end();
  return callId;
}

async function startedCall(stores: Stores, { useCases }: Process): Promise<CallId> {
  const answer = await until(
    stores,
    useCases.startOutboundCall(CALLER, {
      ...{ reservedCallId: null, phoneNumberId: PHONE_NUMBER, assistantId: ASSISTANT, squadId: null },
      ...{ to: "+12025550123", greetingMessage: null, specialInstructions: null, metadata: {} },
    }),
  );
  if (!answer.ok) throw new Error(answer.refusal.code);
  return answer.value.callId;
}
