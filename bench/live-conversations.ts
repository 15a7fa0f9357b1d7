import { createConversations } from "../application/conversation/conversations.ts";
import { type Calls, createAggregates } from "../application/log/aggregates.ts";
import { callStream } from "../application/log/stream-names.ts";
import type { EventStore } from "../application/ports/event-store.ts";
import type { Conversations, VoiceSession } from "../application/ports/voice-session.ts";
import { createCalleeSession } from "../application/voice/callee/callee-session.ts";
import type { CallRequested } from "../domain/call/events.ts";
import type { CallId } from "../domain/shared/ids.ts";
import { plusMillis } from "../domain/shared/instant.ts";
import { systemClock } from "../infrastructure/clock.ts";
import { systemIds } from "../infrastructure/ids.ts";
import { behaviourOf } from "../simulation/callee/personas.ts";
import { silentLogger, silentMetrics } from "../simulation/memory/silent.ts";
import { createTestCodec } from "../simulation/memory/subject-keys.ts";
import { scriptedModel } from "../simulation/model/scripted-model.ts";

/** Conversations of a benchmark arrive over this time. */
export const ARRIVE_OVER_MILLIS = 10_000;
const ORIGIN = { owner: "usr_1", actor: "bench", correlationId: "bench", causationId: null } as const;
const nothing = () => undefined;

/**
 * That many live conversations in this process, to their end: simulated callees at the pace of speech, the
 * scripted model. `onAnswer` gets the milliseconds from the last word of a customer to the first token of the
 * answer.
 */
export async function talkLive(
  eventStore: EventStore,
  count: number,
  onAnswer: (millis: number) => void,
): Promise<void> {
  const codec = createTestCodec();
  const shared = { eventStore, codec, ids: systemIds, clock: systemClock, logger: silentLogger };
  const { calls } = createAggregates({ ...shared });
  const conversations = createConversations({
    ...shared,
    calls,
    metrics: silentMetrics,
    pinnedConversations: { read: async () => null },
    models: { open: async (_owner, _connection, seed) => scriptedModel(seed) },
    tools: { run: () => Promise.reject(new Error("nobody has tools here")) },
    toolArguments: { argumentsSchema: () => ({}), checkArguments: () => null },
    suppressed: async () => new Set(),
    hangUp: async () => undefined,
    sessionSeenAt: async () => null,
    processId: "bench",
  });
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      await systemClock.sleep((index * ARRIVE_OVER_MILLIS) / count);
      await talk(calls, conversations, index, onAnswer);
    }),
  );
}

/** One answered call with its whole conversation. */
async function talk(
  calls: Calls,
  conversations: Conversations,
  index: number,
  onAnswer: (millis: number) => void,
): Promise<void> {
  const callId = systemIds.next("call");
  await connect(calls, callId);
  const over = Promise.withResolvers<void>();
  const behaviour = behaviourOf({ seed: index, to: "+14155550101", dialsBefore: 0, outcome: "talks" });
  const events = { onSaid: nothing, onHangUp: nothing, onTransferred: nothing, onFinished: nothing };
  const callee = createCalleeSession({ clock: systemClock, speed: 1, behaviour, linesSaid: 0, events });
  let saidAt: number | null = null;
  const session: VoiceSession = {
    ...callee.session,
    say: (id, token, last, options) => {
      if (saidAt !== null && token !== "") {
        onAnswer(performance.now() - saidAt);
        saidAt = null;
      }
      callee.session.say(id, token, last, options);
    },
  };
  const listener = await conversations.arrive({ callId, session });
  if (listener === null) throw new Error("the conversation was not opened");
  callee.listen({
    ...listener,
    customerSaid: (text, language, continues) => {
      saidAt = performance.now();
      listener.customerSaid(text, language, continues);
    },
    closed: (cause) => {
      listener.closed(cause);
      over.resolve();
    },
  });
  await over.promise;
}

async function connect(calls: Calls, callId: CallId): Promise<void> {
  const now = systemClock.now();
  const request: CallRequested["data"] = {
    callId,
    owner: "usr_1",
    from: "+15005550100",
    to: "+14155550101",
    phoneNumberId: "pn_1",
    assistant: { assistantId: "ast_1", assistantVersion: 1, name: "Ada", greetingMessage: "Hello" },
    squad: null,
    campaignId: null,
    contactId: null,
    contactName: null,
    customData: null,
    attempt: 1,
    greetingMessage: "Hello, this is Ada with a short reminder.",
    specialInstructions: null,
    metadata: {},
    voicemailPolicy: "hang_up",
    voicemailMessage: null,
    ringTimeoutSeconds: 60,
    maxDurationSeconds: 300,
    pricePerMinute: 10_000,
    dialAt: now,
    dialBy: plusMillis(now, 15_000),
    at: now,
  };
  const farSide = { kind: "simulated", connectionId: null, instance: "bench" } as const;
  await calls.handle(
    callStream(callId),
    [
      { type: "StartCall", request },
      { type: "BeginDialing", now, suppressed: false, carrier: farSide },
      { type: "RecordAnswered", answeredBy: "human", carrierRef: "ref", sequence: 2, occurredAt: now, now },
    ],
    ORIGIN,
  );
}
