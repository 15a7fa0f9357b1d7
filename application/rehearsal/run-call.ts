import type { CarrierIdentity } from "../../domain/call/carrier-identity.ts";
import type { CallCommand } from "../../domain/call/decider.ts";
import type { EndReason } from "../../domain/call/end-reason.ts";
import type { AnsweredBy, CallbackTerms, CallEvent, CallRequested } from "../../domain/call/events.ts";
import { type LongText, personalTexts } from "../../domain/campaign/texts/personalisation.ts";
import type { CallbackSettings } from "../../domain/conversation/script.ts";
import type { RehearsedCase, RunWarning } from "../../domain/rehearsal/rehearsal.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { type Instant, plusMillis } from "../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import { utf8Length } from "../../domain/shared/utf8.ts";
import { callRequest, NO_CAMPAIGN } from "../call/pinning/call-request.ts";
import { createConversations, TOOL_ARGUMENTS } from "../conversation/conversations.ts";
import { createAggregates } from "../log/aggregates.ts";
import { processOrigin } from "../log/append-events.ts";
import { callStream } from "../log/stream-names.ts";
import type { EventStore } from "../ports/event-store.ts";
import type { PinnedSpeaker } from "../ports/pinned-conversations.ts";
import type { FrozenLine, RunToPlay } from "../ports/rehearsal-run.ts";
import { DEFAULT_RING_TIMEOUT_SECONDS } from "../settings.ts";
import {
  openRehearsedCallee,
  type RehearsedCallee,
  type RehearsedCalleeDeps,
} from "./callers/rehearsed-callee.ts";
import type { RehearsalClock } from "./rehearsal-clock.ts";
import type { RunModels } from "./run-models.ts";
import type { RunTools } from "./run-tools.ts";
import type { RunWorld } from "./run-world.ts";

const PROCESS = "rehearsal";
/** Numbers of nobody. */
const CALLED: PhoneNumber = "+15005550006";
const CALLING: PhoneNumber = "+15005550000";
const NOWHERE: CarrierIdentity = { kind: "simulated", connectionId: null, instance: PROCESS };
/** Of all that is said and answered, as JSON of its events: beyond it the caller hangs up. */
const MOST_BYTES = 256 * 1_024;

type RunCall = {
  readonly callId: CallId;
  readonly eventStore: EventStore;
  /** From the answer to the end of the call. */
  readonly talk: () => Promise<void>;
  readonly warnings: () => readonly RunWarning[];
  /** Why the caller could not be played, in a sentence; null: it could. */
  readonly problem: () => string | null;
};

type Parts = {
  readonly texts: RunTexts;
  readonly time: RehearsalClock;
  readonly seed: string;
  readonly models: RunModels;
  readonly tools: RunTools;
};

/** The one call of a run, in a log of its own. Its id is that of the run. */
export function openRunCall(world: RunWorld, run: RunToPlay, parts: Parts): RunCall {
  const { ours: clock } = parts.time;
  const callId = String(run.runId) as CallId;
  const origin = processOrigin(PROCESS, run.owner, callId);
  const hungUp = Promise.withResolvers<Hangup>();
  const opened: { callee: RehearsedCallee | null } = { callee: null };
  const eventStore = measured(world.openLog(clock), () => opened.callee?.hangUp("too_long"));
  const { calls } = createAggregates({ ...world, eventStore, clock });
  const handle = (...commands: readonly CallCommand[]) => calls.handle(callStream(callId), commands, origin);
  const conversations = createConversations({
    ...world,
    calls,
    eventStore,
    clock,
    pinnedConversations: { read: async () => run.line.conversation },
    models: parts.models.ofConversation,
    tools: parts.tools,
    toolArguments: TOOL_ARGUMENTS,
    suppressed: async () => new Set(),
    // The conversation closes the line itself.
    hangUp: async (_callId, wish) => void (await handle({ type: "RequestEnd", ...wish, now: clock.now() })),
    sessionSeenAt: async () => null,
    processId: PROCESS,
  });
  return {
    callId,
    eventStore,
    warnings: () => opened.callee?.warnings() ?? [],
    problem: () => opened.callee?.problem() ?? null,
    talk: async () => {
      const callee = await openRehearsedCallee(calleeOf(world, run, parts, hungUp.resolve));
      opened.callee = callee;
      await handle(...answered(callId, run, parts.texts, clock.now()));
      const listener = await conversations.arrive({ callId, session: callee.session });
      if (listener === null) throw new Error("The call of a run takes no session");
      callee.listen(listener);
      const { endReason, at } = await hungUp.promise;
      await conversations.allOver();
      await handle(ended(run, endReason, at, clock.now()));
    },
  };
}

/** How the line was closed; where the conversation asked for the end, that says why. */
type Hangup = {
  readonly endReason: "customer_ended" | "assistant_ended" | "transferred";
  readonly at: Instant;
};

function calleeOf(
  world: RunWorld,
  { owner, line, case: played }: RunToPlay,
  { time, seed, models, tools }: Parts,
  hangUp: (hangup: Hangup) => void,
): RehearsedCalleeDeps {
  const hangsUp = (endReason: Hangup["endReason"]) => () => hangUp({ endReason, at: time.ours.now() });
  const { model, language, modelConnectionId } = firstOf(line);
  return {
    line: time.line,
    stoodMillis: time.stoodMillis,
    speaker: { model, language },
    isBusy: () => models.isBusy() || tools.isBusy(),
    caller: played.caller,
    maxTurns: played.maxTurns,
    personaModel: () => models.beside.open(owner, modelConnectionId, seed),
    simulatedCallee: (repeated) => time.outside(() => world.simulatedCallee(repeated)),
    seed,
    onHangUp: hangsUp("customer_ended"),
    onFinished: hangsUp("assistant_ended"),
    onTransferred: hangsUp("transferred"),
  };
}

function firstOf({ conversation }: FrozenLine): PinnedSpeaker {
  const [first] = conversation.speakers;
  if (first === undefined) throw new Error("A line without a speaker");
  return first;
}

function answered(callId: CallId, run: RunToPlay, texts: RunTexts, now: Instant): readonly CallCommand[] {
  const fact = { carrierRef: run.runId, sequence: null, occurredAt: now, now };
  return [
    { type: "StartCall", request: requestOf(callId, run, texts, now) },
    { type: "BeginDialing", now, suppressed: false, carrier: NOWHERE },
    { type: "RecordAnswered", answeredBy: whoAnswers(run.case), ...fact },
  ];
}

/** A recorded greeting is found out by its sound. */
function whoAnswers({ caller }: RehearsedCase): AnsweredBy {
  if (caller.kind === "past") return caller.call.answeredBy;
  return caller.kind === "written" && caller.turns[0]?.kind === "machine" ? "unknown" : "human";
}

function ended(run: RunToPlay, endReason: EndReason, occurredAt: Instant, now: Instant): CallCommand {
  const notReported = { answeredAt: null, answeredBy: null, recordingExpected: false, error: null };
  const endedBy = endReason === "customer_ended" ? "customer" : null;
  const fact = { carrierRef: run.runId, sequence: null, occurredAt, now };
  return { type: "RecordEnded", endReason, endedBy, ...notReported, ...fact };
}

function requestOf(
  callId: CallId,
  { owner, line, case: played }: RunToPlay,
  texts: RunTexts,
  now: Instant,
): CallRequested["data"] {
  const { assistantId, assistantVersion, name, greetingMessage, callback } = firstOf(line);
  const past = played.caller.kind === "past" ? played.caller.call : null;
  const { contactName, customData } = contactOf(played);
  const call = {
    from: CALLING,
    phoneNumberId: "pn_rehearsal" as const,
    assistant: { assistantId, assistantVersion, name, greetingMessage },
    squad: null,
    ...texts,
    metadata: {},
    voicemailPolicy: line.voicemailPolicy,
    ringTimeoutSeconds: DEFAULT_RING_TIMEOUT_SECONDS,
    maxDurationSeconds: line.maxDurationSeconds,
    pinned: "",
  };
  const terms = past?.callback ?? termsIn(played.contact.timezone, callback);
  const times = { dialAt: now, dialBy: plusMillis(now, 1), at: now };
  return callRequest(
    call,
    { callId, owner, to: CALLED, pricePerMinute: 0, ...times },
    { ...NO_CAMPAIGN, contactName, customData, ...(terms === null ? {} : { callback: terms }) },
  );
}

/** Without a zone a wish to be called again is only noted, as on a call outside of campaigns. */
function termsIn(zone: string | null, callback: CallbackSettings | null = null): CallbackTerms | null {
  if (zone === null || callback === null) return null;
  return { zone, window: null, left: callback.maxPerContact, maxDays: callback.maxDays };
}

function contactOf({ contact, caller }: RehearsedCase) {
  const past = caller.kind === "past" ? caller.call : null;
  return {
    contactName: contact.name ?? past?.contactName ?? null,
    customData: contact.customData ?? past?.customData ?? null,
  };
}

type RunTexts = Pick<CallRequested["data"], "greetingMessage" | "specialInstructions" | "voicemailMessage">;

/**
 * What the call says, filled as a campaign does; what was said on a past call is filled already. A text that
 * is too long then is returned in place of them.
 */
export function textsOf({ line, case: played }: RunToPlay): RunTexts | LongText {
  const { greetingMessage, specialInstructions, caller } = played;
  const { contactName: name, customData } = contactOf(played);
  const { voicemailMessage } = line;
  const given = { greetingMessage, specialInstructions, voicemailMessage, assistant: firstOf(line) };
  const texts = personalTexts({ ...given, placeholders: 3 }, { name, customData: customData ?? {} });
  if (texts.tooLong !== null) return texts.tooLong;
  const past = caller.kind === "past" ? caller.call : null;
  return {
    greetingMessage: (greetingMessage === null ? past?.greetingMessage : null) ?? texts.greetingMessage,
    specialInstructions: texts.specialInstructions ?? past?.specialInstructions ?? null,
    voicemailMessage: texts.voicemailMessage,
  };
}

const SAID: ReadonlySet<string> = new Set<CallEvent["type"]>([
  "CallMessageAdded",
  "CallToolBegan",
  "CallToolEnded",
]);

/** The log, which tells when more than the most bytes were said. */
function measured(log: EventStore, onTooMuch: () => void): EventStore {
  let bytes = 0;
  return {
    ...log,
    append: (stream, expected, events) => {
      for (const { type, data } of events) if (SAID.has(type)) bytes += utf8Length(JSON.stringify(data));
      if (bytes > MOST_BYTES) onTooMuch();
      return log.append(stream, expected, events);
    },
  };
}
