import {
  NUMBER_ROWS,
  type NumberContact,
  type NumberHistory,
  type NumberVerdict,
} from "../../application/ports/queries/number-records.ts";
import type { Language } from "../../contract/campaign-story.ts";
import type { CampaignId, ContactId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { RejectedNumber } from "../search/number-contacts.ts";
import { explainContacts } from "./explain/explain-contact.ts";
import { rejectedSentence } from "./explain/sentences.ts";
import type { LogDeps } from "./stream-history.ts";

/** Campaigns folded at the same time. */
const AT_ONCE = 4;

export type NumberQuestion = {
  readonly number: string;
  readonly at: Instant;
  readonly language: Language;
};

type Known = { readonly contacts: readonly NumberContact[]; readonly rejections: readonly RejectedNumber[] };

/** Why this number is called or not, for each of its contacts, and the imports that refused it. */
export async function numberHistory(
  deps: LogDeps,
  owner: OwnerId,
  { contacts, rejections }: Known,
  { number, at, language }: NumberQuestion,
): Promise<NumberHistory> {
  const asked = new Map<CampaignId, ContactId[]>();
  for (const { campaignId, contactId } of contacts)
    asked.set(campaignId, [...(asked.get(campaignId) ?? []), contactId]);
  const verdictOf = new Map<ContactId, NumberVerdict>();
  const waiting = [...asked];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [campaignId, contactIds] = next;
      for (const each of await explainContacts(deps, owner, contactIds, { campaignId, at, language }))
        verdictOf.set(each.contactId, each);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const verdicts = contacts.flatMap(({ contactId }) => verdictOf.get(contactId) ?? []);
  const refused = rejections.map((each) => rejectedVerdict(each, { number, at, language }));
  return { contacts, verdicts: [...verdicts, ...refused].toSorted(newestFirst).slice(0, NUMBER_ROWS) };
}

function rejectedVerdict(
  { campaignId, position, type, at: refusedAt, reason }: RejectedNumber,
  { number, at, language }: NumberQuestion,
): NumberVerdict {
  return {
    campaignId,
    contactId: null,
    at,
    verdict: "rejected",
    sentence: rejectedSentence(language, { number, at: refusedAt, reason }),
    until: null,
    optOutCallId: null,
    hold: null,
    because: [{ position, type, at: refusedAt }],
  };
}

/** Ids of campaigns sort by their creation. */
function newestFirst(a: NumberVerdict, b: NumberVerdict): number {
  return a.campaignId === b.campaignId ? 0 : a.campaignId < b.campaignId ? 1 : -1;
}
