import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import type { StoredEvent } from "../../application/ports/event-store.ts";
import type { DomainEvent } from "../../domain/events.ts";
import type { CallId, CampaignId, ContactId } from "../../domain/shared/ids.ts";
import type { JsonObject } from "../../domain/shared/json.ts";
import { kindThatTells } from "../../domain/webhook/kinds.ts";
import { type AskedBook, newAskedBook, noteAsked } from "./asked-opt-outs.ts";
import { type AnalysisBook, newAnalysisBook, noteAnalysis } from "./judge-analyses.ts";
import { createHandBook, type HandBook } from "./listed-by-hand.ts";
import type { Scenario } from "./scenario.ts";
import { type SeenCampaign, seeCampaign } from "./seen-campaign.ts";
import type { Shared } from "./shared-world.ts";
import { CAMPAIGN } from "./simulated-names.ts";

/** Reads the log from outside as it grows, and records what was promised to users at which moment. */
export type Observer = {
  readonly look: () => void;
  readonly events: readonly ObservedEvent[];
  readonly problems: readonly string[];
  readonly handBook: HandBook;
  readonly askedBook: AskedBook;
  readonly analysisBook: AnalysisBook;
  readonly pauseAnswered: () => void;
  readonly cancelAnswered: () => void;
  readonly contactId: (index: number) => ContactId | null;
  /** Of the campaigns that were imported. */
  readonly campaignIds: () => readonly CampaignId[];
  /** PAUSED for a reason that only a user ends, or not started. */
  readonly waitsForUser: (campaignId: CampaignId) => boolean;
  /** Calls `listener` whenever a pause is seen. */
  readonly onPaused: (listener: (campaignId: CampaignId) => void) => void;
  /** The campaigns and everything that follows from them are over. */
  readonly isQuiet: () => boolean;
  readonly standing: () => string;
};

/** What is told of neither an end nor a change of a campaign. */
const BESIDE_ENDS: ReadonlySet<string> = new Set(["call.started", "call.analyzed", "number.suppressed"]);

/** `seenAt`: when it was in the log, by the clock that never jumps. */
export type ObservedEvent = {
  readonly stored: StoredEvent;
  readonly recorded: RecordedEvent;
  readonly event: DomainEvent;
  readonly seenAt: number;
};

export function createObserver(
  { database, codec, admission, outbox, clock, trace }: Shared,
  { listens, analyses }: Pick<Scenario, "listens" | "analyses">,
): Observer {
  const events: ObservedEvent[] = [];
  const problems: string[] = [];
  const contacts: ContactId[] = [];
  const campaigns = new Map<CampaignId, SeenCampaign>();
  const inCall = new Set<CallId>();
  let ends = 0;
  let changes = 0;
  let queued = 0;
  let tellPaused: (campaignId: CampaignId) => void = () => undefined;
  const seen = (campaignId: CampaignId): SeenCampaign => {
    const known = campaigns.get(campaignId) ?? seeCampaign(campaignId, () => tellPaused(campaignId));
    campaigns.set(campaignId, known);
    return known;
  };
  seen(CAMPAIGN);

  const askedBook = newAskedBook();
  const analysisBook = newAnalysisBook();
  const see = ({ event, seenAt }: ObservedEvent): void => {
    noteAsked(askedBook, event, seenAt);
    noteAnalysis(analysisBook, event);
    if (kindThatTells(event.type) !== null) changes += 1;
    if (event.type === "ContactsImported") seen(event.data.campaignId);
    for (const campaign of campaigns.values()) campaign.see(event);
    switch (event.type) {
      case "ContactsImported":
        if (event.data.campaignId === CAMPAIGN)
          for (const { contactId } of event.data.contacts) contacts.push(contactId);
        return;
      case "CallRequested":
        inCall.add(event.data.callId);
        return;
      case "CallCompleted":
      case "CallFailed":
        inCall.delete(event.data.callId);
        ends += 1;
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
    const late = seen(CAMPAIGN).owed();
    if (late.length > 0) problems.push(`${what} was answered before ${late.join(", ")} had begun or failed`);
  };
  /** Events that webhooks announce: ends, and those of the campaign. */
  const queuedEvents = (): number => {
    if (queued < ends + changes) {
      queued = 0;
      for (const { entry } of outbox.deliveries.values()) if (!BESIDE_ENDS.has(entry.kind)) queued += 1;
    }
    return queued;
  };

  return {
    look,
    events,
    problems,
    handBook: createHandBook(),
    askedBook,
    analysisBook,
    pauseAnswered: noneUnbegun("pause"),
    cancelAnswered: noneUnbegun("cancel"),
    contactId: (index) => contacts[index] ?? null,
    campaignIds: () => [...campaigns.keys()],
    onPaused: (listener) => {
      tellPaused = listener;
    },
    waitsForUser: (campaignId) => seen(campaignId).waitsForUser(),
    isQuiet: () =>
      [...campaigns.values()].every((campaign) => campaign.isOver()) &&
      inCall.size + outbox.pendingEnds.size === 0 &&
      admission.openSlots().length === 0 &&
      (!listens || askedBook.asked.size <= askedBook.optedOut.size) &&
      (analyses === null || analysisBook.owed.size === 0) &&
      queuedEvents() >= ends + changes,
    standing: () =>
      `${[...campaigns.values()].map((campaign) => campaign.standing()).join("; ")}; ${inCall.size} calls, ${
        admission.openSlots().length
      } slots, ${outbox.pendingEnds.size} pending ends, ${analysisBook.owed.size} analyses, ${queuedEvents()} of ${ends + changes} ends and changes told`,
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
