import { recordedEvents } from "../../../application/log/recorded-events.ts";
import { campaignStream } from "../../../application/log/stream-names.ts";
import type { RecordedEvent } from "../../../application/ports/event-codec.ts";
import { type Position, START } from "../../../application/ports/event-store.ts";
import type { Heard } from "../../../application/ports/queries.ts";
import type { Explanation, Language } from "../../../contract/campaign-story.ts";
import type { CampaignId, ContactId, OwnerId } from "../../../domain/shared/ids.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import { policyChangeAt } from "../policy-at.ts";
import { eventsUntil, hadHappened, type LogDeps } from "../stream-history.ts";
import { endedCallsAt } from "../time-travel.ts";
import { type ContactFacts, hear, noFacts } from "./contact-facts.ts";
import { judgeContact, optOutCallOf, type Standing } from "./judge-contact.ts";
import { sentenceOf } from "./sentences.ts";

export type ExplainQuestion = {
  readonly campaignId: CampaignId;
  readonly contactId: ContactId;
  readonly at: Instant;
  readonly language: Language;
};

/**
 * Why the contact was in its state at that moment, from the events up to it; the two texts are
 * two answers of the API.
 */
export async function explainContact(
  deps: LogDeps,
  owner: OwnerId,
  question: ExplainQuestion,
  heard?: Heard,
): Promise<Explanation | "campaign_unknown" | "contact_unknown"> {
  const facts = noFacts(question.contactId);
  let position: Position = START;
  const events = recordedEvents(deps, campaignStream(question.campaignId));
  for await (const recorded of eventsUntil(events, question.at)) {
    hear(facts, recorded);
    if (hadHappened(recorded, question.at)) position = recorded.position;
  }
  if (facts.owner !== owner) return "campaign_unknown";
  heard?.(position);
  const standing = await standingAt(deps, owner, [facts], question.at);
  return explanationOf(facts, standing, question) ?? "contact_unknown";
}

async function standingAt(
  deps: LogDeps,
  owner: OwnerId,
  facts: readonly ContactFacts[],
  at: Instant,
): Promise<Standing> {
  const holders = new Set(facts.flatMap(({ held }) => held?.event.data.heldBy ?? []));
  return { policy: await policyChangeAt(deps, owner, at), ended: await endedCallsAt(deps, [...holders], at) };
}

/**
 * For several contacts of one campaign, which is read once. A contact that did not exist is left out; another
 * owner's campaign has none.
 */
export async function explainContacts(
  deps: LogDeps,
  owner: OwnerId,
  contactIds: readonly ContactId[],
  question: Omit<ExplainQuestion, "contactId">,
): Promise<readonly Explanation[]> {
  const facts = contactIds.map(noFacts);
  const events = recordedEvents(deps, campaignStream(question.campaignId));
  for await (const recorded of eventsUntil(events, question.at))
    for (const each of facts) hear(each, recorded);
  const standing = await standingAt(deps, owner, facts, question.at);
  return facts.flatMap((each) => {
    const asked = { ...question, contactId: each.contactId };
    const fact = each.owner === owner ? explanationOf(each, standing, asked) : null;
    return fact === null ? [] : [fact];
  });
}

/**
 * The same for events in memory: the campaign's events up to then, in order. null: the contact did not exist.
 */
export function explain(
  events: readonly RecordedEvent[],
  question: ExplainQuestion,
  standing: Standing = { policy: null, ended: new Set() },
): Explanation | null {
  const facts = noFacts(question.contactId);
  for (const recorded of events) hear(facts, recorded);
  return explanationOf(facts, standing, question);
}

function explanationOf(
  facts: ContactFacts,
  standing: Standing,
  { campaignId, contactId, at, language }: ExplainQuestion,
): Explanation | null {
  const judgement = judgeContact(facts, standing, at);
  if (judgement === null || facts.contact === null || facts.settings === null) return null;
  const { name, phoneNumber } = facts.contact;
  const who = name === null ? phoneNumber : `${name} (${phoneNumber})`;
  const { timezone } = facts.settings;
  return {
    campaignId,
    contactId,
    at,
    verdict: judgement.verdict,
    sentence: sentenceOf(language, { who, timezone, at }, judgement),
    until: judgement.until,
    optOutCallId: optOutCallOf(judgement),
    hold: judgement.verdict === "held_by_policy" ? judgement.hold : null,
    because: judgement.because.map(({ position, event }) => ({
      position,
      type: event.type,
      at: event.data.at,
    })),
  };
}
