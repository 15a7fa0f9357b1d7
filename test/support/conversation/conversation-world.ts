import type { EndWish } from "../../../application/call/call-ending.ts";
import { createConversations } from "../../../application/conversation/conversations.ts";
import type { EventStore } from "../../../application/ports/event-store.ts";
import type { LanguageModels, ModelRequest } from "../../../application/ports/language-model.ts";
import type { Logger } from "../../../application/ports/logger.ts";
import type { Metrics } from "../../../application/ports/metrics.ts";
import type { PinnedConversation, PinnedSpeaker } from "../../../application/ports/pinned-conversations.ts";
import type { ToolResult, ToolRun } from "../../../application/ports/tool-runner.ts";
import type { CallEvent, CallRequested } from "../../../domain/call/events.ts";
import type { ToolArguments } from "../../../domain/conversation/script.ts";
import { noEvidence } from "../../../domain/conversation/tool-words.ts";
import { isCallEvent } from "../../../domain/event-kinds.ts";
import { type Instant, plusMillis } from "../../../domain/shared/instant.ts";
import { createMemoryDatabase } from "../../../infrastructure/log/memory/database.ts";
import { inTurns } from "../../../simulation/campaigns/in-turns.ts";
import { createRememberingCodec } from "../../../simulation/campaigns/remembering-codec.ts";
import { seededRandom } from "../../../simulation/campaigns/seeded-random.ts";
import { createSimulatedIds } from "../../../simulation/campaigns/simulated-ids.ts";
import { createVirtualClock } from "../../../simulation/campaigns/virtual-clock.ts";
import { silentLogger, silentMetrics } from "../../../simulation/memory/silent.ts";
import { createMemorySubjectKeys } from "../../../simulation/memory/subject-keys.ts";
import { FAR_SIDE } from "../../domain/call/example-call.ts";
import { memoryLog } from "../memory-log.ts";
import { createLineSession, type LineSession, type LineSettings } from "./line-session.ts";
import { type Answer, scriptedModels } from "./scripted-models.ts";

export const SPEAKER: PinnedSpeaker = {
  memberId: null,
  assistantId: "ast_1",
  assistantVersion: 1,
  name: "Ada",
  greetingMessage: "Hello",
  systemPrompt: "Be brief.",
  model: null,
  modelConnectionId: null,
  temperature: null,
  voice: null,
  language: "en",
  fallbackMessage: null,
  silenceTimeoutSeconds: 9,
  endSilenceMs: 650,
  interruptible: true,
  recording: null,
  recordingNotice: null,
  tools: [],
  handoffs: [],
};

const CALL: Omit<CallRequested["data"], "dialAt" | "dialBy" | "at"> = {
  callId: "call_1",
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
  greetingMessage: "Hello, this is Ada.",
  specialInstructions: null,
  metadata: {},
  voicemailPolicy: "hang_up",
  voicemailMessage: null,
  ringTimeoutSeconds: 45,
  maxDurationSeconds: 300,
  pricePerMinute: 10_000,
  pinned: "sha",
};

export type WorldSettings = {
  readonly call?: Partial<CallRequested["data"]>;
  readonly speakers?: readonly PinnedSpeaker[];
  readonly answer?: (request: ModelRequest, number: number) => Answer;
  readonly models?: (models: LanguageModels) => LanguageModels;
  readonly runTool?: (run: ToolRun) => Promise<ToolResult>;
  readonly checkArguments?: (name: string) => string | null;
  readonly argumentsSchema?: ToolArguments["argumentsSchema"];
  readonly wrapStore?: (store: EventStore) => EventStore;
  readonly suppressed?: readonly string[];
  readonly seed?: number;
  readonly answeredBy?: "human" | "machine" | "unknown";
  readonly metrics?: Metrics;
  readonly logger?: Logger;
};

export const ANSWERED: ToolResult = {
  outcome: "answered",
  shown: "200\nfine",
  isError: false,
  evidence: noEvidence,
};

/**
 * One answered call with its conversation in this process, a log in memory, and a clock that
 * only moves by itself.
 */
export async function conversationWorld(settings: WorldSettings = {}) {
  const clock = createVirtualClock(Date.parse("2026-09-01T10:00:00.000Z"), seededRandom(settings.seed ?? 1));
  const database = createMemoryDatabase();
  const ids = createSimulatedIds();
  const codec = createRememberingCodec(createMemorySubjectKeys({ drawMissing: true }));
  const request: CallRequested["data"] = {
    ...CALL,
    dialAt: clock.now(),
    dialBy: plusMillis(clock.now(), 15_000),
    at: clock.now(),
    ...settings.call,
  };
  const pinned: PinnedConversation = {
    version: 1,
    owner: request.owner,
    squadId: null,
    squadName: "Team",
    speakers: settings.speakers ?? [SPEAKER],
  };
  const stream = `call-${request.callId}`;
  const origin = { owner: request.owner, actor: "test", correlationId: "test", causationId: null };
  const wishes: EndWish[] = [];
  const toolRuns: ToolRun[] = [];
  const lines: LineSession[] = [];
  const scripted = scriptedModels(
    clock,
    settings.answer ?? (() => [{ wait: 200 }, { text: "Fine, thank you." }]),
  );

  /** A separate process over the same log. `isDead`: it does nothing any more. */
  const startProcess = (isDead: () => boolean = () => false, seenAt: () => Instant | null = () => null) => {
    const own = clock.forProcess(isDead);
    const { eventStore, aggregates } = memoryLog({
      clock: own,
      database,
      codec,
      ids,
      ...(settings.wrapStore && { wrap: settings.wrapStore }),
    });
    const conversations = createConversations({
      calls: aggregates.calls,
      eventStore,
      codec,
      pinnedConversations: { read: async () => pinned },
      models: settings.models?.(scripted.models) ?? scripted.models,
      tools: {
        run: (run) => {
          if (isDead()) return new Promise(() => undefined);
          toolRuns.push(run);
          return settings.runTool?.(run) ?? Promise.resolve(ANSWERED);
        },
      },
      toolArguments: {
        argumentsSchema: settings.argumentsSchema ?? (() => ({ type: "object", properties: {} })),
        checkArguments: (tool) => settings.checkArguments?.(tool.functionName) ?? null,
      },
      suppressed: async (_owner, numbers) =>
        new Set(numbers.filter((each) => settings.suppressed?.includes(each))),
      hangUp: async (_callId, wish) => {
        if (isDead()) return new Promise(() => undefined);
        wishes.push(wish);
        await aggregates.calls.handle(stream, [{ type: "RequestEnd", ...wish, now: own.now() }], origin);
        void own.sleep(300).then(() => lines.at(-1)?.close("hung_up"));
      },
      sessionSeenAt: async () => seenAt(),
      clock: own,
      metrics: settings.metrics ?? silentMetrics,
      logger: settings.logger ?? silentLogger,
      processId: "one",
    });
    return { conversations, aggregates };
  };

  const first = startProcess();
  const answered = settings.answeredBy ?? "human";
  const fact = { carrierRef: "ref", sequence: null, occurredAt: clock.now(), now: clock.now() };
  await until(
    clock,
    first.aggregates.calls.handle(
      stream,
      [
        { type: "StartCall", request },
        { type: "BeginDialing", now: clock.now(), suppressed: false, carrier: FAR_SIDE },
        { type: "RecordAccepted", carrierRef: "ref", now: clock.now() },
        { type: "RecordAnswered", answeredBy: answered, ...fact },
      ],
      origin,
    ),
  );

  const world = {
    clock,
    request,
    speakers: pinned.speakers,
    wishes,
    toolRuns,
    lines,
    database,
    codec,
    eventStore: memoryLog({ clock, database }).eventStore,
    stream,
    origin,
    aggregates: first.aggregates,
    startProcess,
    requests: scripted.requests,
    generations: scripted.seen,
    /** Opens a line to this process and waits until its listener is there. */
    connect: async (
      line: LineSettings = {},
      process = first,
      givenUp: Promise<unknown> = new Promise(() => undefined),
    ): Promise<LineSession> => {
      const opened = createLineSession(clock, line);
      lines.push(opened);
      const arrived = process.conversations.arrive({ callId: request.callId, session: opened.session });
      const listener = await until(clock, Promise.race([arrived, givenUp.then(() => undefined)]));
      if (listener === null) opened.close("refused");
      else if (listener !== undefined) opened.attach(listener);
      return opened;
    },
    pass: (millis: number) => until(clock, clock.sleep(millis)),
    events: (): readonly CallEvent[] =>
      (database.streams.get(stream)?.events ?? []).flatMap((stored) => {
        const decoded = codec.decodeNow(stored);
        return decoded.kind === "event" && isCallEvent(decoded.recorded.event)
          ? [decoded.recorded.event]
          : [];
      }),
    types: () => world.events().map(({ type }) => type),
    /** Role and kind with the text, as in the log: `kind: what was heard[| what was not]`. */
    transcript: () => transcriptOf(world.events()),
  };
  return world;
}

export type ConversationWorld = Awaited<ReturnType<typeof conversationWorld>>;

function transcriptOf(events: readonly CallEvent[]): readonly string[] {
  const cuts = new Map(
    events.flatMap((event) =>
      event.type === "CallSpeechCut" ? [[event.data.messageIndex, event.data.heard] as const] : [],
    ),
  );
  return events.flatMap((event) => {
    if (event.type !== "CallMessageAdded") return [];
    const { role, kind, content, index } = event.data.message;
    const heard = cuts.get(index);
    const words =
      heard === undefined || heard === null ? content : `${heard}|${(content ?? "").slice(heard.length)}`;
    return [`${kind ?? role}: ${words}`];
  });
}

/** Lets virtual time pass until the work is done. */
export async function until<T>(clock: { readonly advance: () => boolean }, work: Promise<T>): Promise<T> {
  let settled = false;
  const mark = () => {
    settled = true;
  };
  work.then(mark, mark);
  await inTurns(() => (settled || !clock.advance() ? true : undefined));
  return work;
}
