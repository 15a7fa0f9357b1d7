import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import type { StoredEvent } from "../../application/ports/event-store.ts";
import type { DomainEvent } from "../../domain/events.ts";
import type { CallId, ContactId } from "../../domain/shared/ids.ts";
import type { JsonObject } from "../../domain/shared/json.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import { kindThatTells } from "../../domain/webhook/kinds.ts";
import { type AskedBook, newAskedBook, noteAsked } from "./asked-opt-outs.ts";
import { type AnalysisBook, newAnalysisBook, noteAnalysis } from "./judge-analyses.ts";
import type { Scenario } from "./scenario.ts";
import type { Shared } from "./shared-world.ts";

/** Reads the log from outside as it grows, and records what was promised to users at which moment. */
export type Observer = {
  readonly look: () => void;
  readonly events: readonly ObservedEvent[];
  readonly problems: readonly string[];
  readonly suppressions: readonly { readonly number: PhoneNumber; readonly at: number }[];
  readonly askedBook: AskedBook;
  readonly analysisBook: AnalysisBook;
  readonly suppressed: (number: PhoneNumber) => void;
  readonly pauseAnswered: () => void;
  readonly cancelAnswered: () => void;
  readonly contactId: (index: number) => ContactId | null;
  /** PAUSED for a reason that only a user ends. */
  readonly waitsForUser: () => boolean;
  /** Calls `listener` whenever a pause is seen. */
  readonly onPaused: (listener: () => void) => void;
  /** The campaign and everything that follows from it is over. */
  readonly isQuiet: () => boolean;
  readonly standing: () => string;
};

/** `seenAt`: when it was in the log, by the clock that never jumps. */
export type ObservedEvent = {
  readonly stored: StoredEvent;
  readonly recorded: RecordedEvent;
  readonly event: DomainEvent;
  readonly seenAt: number;
};

const RESUMES_BY_ITSELF = new Set([
  "outside_call_window",
  "insufficient_credits",
  "carrier_unavailable",
  "assistant_unavailable",
]);

export function createObserver(
  { database, codec, admission, outbox, clock, trace }: Shared,
  { listens, analyses }: Pick<Scenario, "listens" | "analyses">,
): Observer {
  const events: ObservedEvent[] = [];
  const problems: string[] = [];
  const suppressions: { readonly number: PhoneNumber; readonly at: number }[] = [];
  const contacts: ContactId[] = [];
  /** Dials of which neither the beginning nor the end is in the log. */
  const unbegun = new Set<CallId>();
  /** Those recorded before the last pause or cancel: its answer waits for them. */
  let owed: readonly CallId[] = [];
  const live = new Set<CallId>();
  const inCall = new Set<CallId>();
  let status = "none";
  let reason: string | null = null;
  let ends = 0;
  let changes = 0;
  let queued = 0;
  let tellPaused = () => {};

  const askedBook = newAskedBook();
  const analysisBook = newAnalysisBook();
  const see = ({ event }: ObservedEvent): void => {
    noteAsked(askedBook, event);
    noteAnalysis(analysisBook, event);
    if (kindThatTells(event.type) !== null) changes += 1;
    switch (event.type) {
      case "ContactsImported":
        for (const { contactId } of event.data.contacts) contacts.push(contactId);
        return;
      case "CampaignStarted":
      case "CampaignResumed":
        status = "RUNNING";
        reason = null;
        return;
      case "CampaignPaused":
        status = "PAUSED";
        reason = event.data.reason;
        owed = [...unbegun];
        tellPaused();
        return;
      case "CampaignCancelled":
        status = "OVER";
        owed = [...unbegun];
        return;
      case "CampaignCompleted":
        status = "OVER";
        return;
      case "ContactDialed":
        unbegun.add(event.data.callId);
        live.add(event.data.callId);
        return;
      case "CallRequested":
        inCall.add(event.data.callId);
        return;
      case "CallDialingBegan":
        unbegun.delete(event.data.callId);
        return;
      case "CallCompleted":
      case "CallFailed":
        unbegun.delete(event.data.callId);
        inCall.delete(event.data.callId);
        ends += 1;
        return;
      case "ContactSucceeded":
      case "ContactAttemptFailed":
        live.delete(event.data.callId);
        return;
      default:
        return;
    }
  };

  const look = (): void => {
    for (let index = events.length; index < database.events.length; index += 1) {
      const stored = database.events[index];
      if (stored === undefined) return;
      const decoded = codec.decodeNow(stored);
      if (decoded.kind !== "event") {
        problems.push(`${stored.stream}@${stored.revision} cannot be read: ${decoded.kind}`);
        continue;
      }
      const { recorded } = decoded;
      const observed = { stored, recorded, event: recorded.event, seenAt: clock.elapsed() };
      trace(
        () =>
          `  LOG ${stored.stream}@${stored.revision} ${stored.type} ${brief(codec.asJson(recorded.event).data)}`,
      );
      events.push(observed);
      see(observed);
    }
  };

  const noneUnbegun = (what: string) => () => {
    look();
    const late = owed.filter((callId) => unbegun.has(callId));
    if (late.length > 0) problems.push(`${what} was answered before ${late.join(", ")} had begun or failed`);
  };
  /** Events that webhooks announce: ends, and those of the campaign. */
  const queuedEvents = (): number => {
    if (queued < ends + changes) {
      queued = 0;
      for (const { entry } of outbox.deliveries.values())
        if (entry.kind !== "call.started" && entry.kind !== "number.suppressed") queued += 1;
    }
    return queued;
  };

  return {
    look,
    events,
    problems,
    suppressions,
    askedBook,
    analysisBook,
    suppressed: (number) => suppressions.push({ number, at: clock.elapsed() }),
    pauseAnswered: noneUnbegun("pause"),
    cancelAnswered: noneUnbegun("cancel"),
    contactId: (index) => contacts[index] ?? null,
    onPaused: (listener) => {
      tellPaused = listener;
    },
    waitsForUser: () => status === "none" || (status === "PAUSED" && !RESUMES_BY_ITSELF.has(reason ?? "")),
    isQuiet: () =>
      status === "OVER" &&
      live.size + inCall.size + outbox.pendingEnds.size === 0 &&
      admission.openSlots().length === 0 &&
      (!listens || askedBook.asked.size <= askedBook.optedOut.size) &&
      (analyses === null || analysisBook.owed.size === 0) &&
      queuedEvents() >= ends + changes,
    standing: () =>
      `${status} ${reason ?? ""}, ${live.size} live contacts, ${inCall.size} calls, ${admission.openSlots().length} slots, ${
        outbox.pendingEnds.size
      } pending ends, ${analysisBook.owed.size} analyses, ${queuedEvents()} of ${ends + changes} ends and changes told`,
  };
}

/** With decrypted texts, because their encryption differs in each run. */
function brief(data: JsonObject): string {
  const {
    contacts: _contacts,
    rejected: _rejected,
    assistant: _assistant,
    evidence: _evidence,
    ...rest
  } = data;
  return JSON.stringify(rest);
}
