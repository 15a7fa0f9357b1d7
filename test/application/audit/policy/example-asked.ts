import type { ContactDialed, ContactSkipped, ImportedContact } from "../../../../domain/campaign/events.ts";
import type { DomainEvent } from "../../../../domain/events.ts";
import type { EligibilityEvidence, Policy, PolicyEvidence } from "../../../../domain/policy/policy.ts";
import type { SuppressionListEvent } from "../../../../domain/suppression/events.ts";
import { at, campaignId, contact } from "../../../domain/campaign/example-campaign.ts";
import { startedStory } from "../example-history.ts";
import { ended, held, policyChanged, single } from "./example-policies.ts";

/** Consent, young lists and an address that is asked; nothing that needs a zone. */
export const ASKED: Policy = {
  callableHours: null,
  attemptsPerNumber: null,
  oneCallAtATime: false,
  exceptSingleCalls: false,
  requireConsent: true,
  listMaxAgeDays: 30,
  eligibility: { url: "https://example.com/may-i-call", timeoutMs: 2_000 },
};
const DAY_SECONDS = 24 * 3_600;
/** Of the registry when the campaign begins, and of the file that replaces it. */
export const [AS_OF, NEWER_AS_OF] = [at(-10 * DAY_SECONDS), at(-DAY_SECONDS)];
const GIVEN = { source: "form", at: at(-DAY_SECONDS) } as const;
export const EXPIRES = at(DAY_SECONDS);

/** One with a consent for a day, one without any, one who moved away, one on a list, one who is held. */
const PEOPLE: readonly ImportedContact[] = [
  contact(1, { consent: { ...GIVEN, expiresAt: EXPIRES } }),
  contact(2),
  ...[3, 4, 5].map((number) => contact(number, { consent: GIVEN })),
];

const LIST = { owner: "usr_1", listId: "spl_1", name: "Registry", kind: "registry" } as const;

export function listChanged(seconds: number, changes: Partial<SuppressionListEvent["data"]> & object = {}) {
  const data = { ...LIST, active: true, deleted: false, at: at(seconds), ...changes };
  return { type: "SuppressionListChanged", data } as const;
}

export function listReplaced(seconds: number, asOf: typeof AS_OF) {
  const file = { count: 1, sha256: "0".repeat(64), asOf };
  return { type: "SuppressionListReplaced", data: { ...LIST, ...file, at: at(seconds) } } as const;
}

export function answered(seconds: number): EligibilityEvidence {
  return { eventId: `evt_${seconds}`, askedAt: at(seconds - 1), millis: 80 };
}

/** Of a dial that is judged at that second. */
export function allowed(seconds: number, expires: typeof EXPIRES | null, asOf = AS_OF): PolicyEvidence {
  return {
    policyVersion: 1,
    judgedAt: at(seconds),
    checks: [
      { rule: "consent", value: GIVEN.at, limit: expires },
      { rule: "listAge", value: asOf, limit: 30 },
    ],
    zones: null,
    eligibility: answered(seconds),
  };
}

export function skipped(
  number: number,
  seconds: number,
  why: Pick<ContactSkipped["data"], "reason" | "refusal" | "suppression">,
): ContactSkipped {
  const contactId = `ctc_${number}` as const;
  return {
    type: "ContactSkipped",
    data: { campaignId, at: at(seconds), contactId, outcome: "skipped", ...why },
  };
}

export const ON_LIST = {
  ...{ reason: null, createdAt: AS_OF, by: null },
  list: { id: LIST.listId, name: LIST.name, kind: LIST.kind },
} as const;

/**
 * A campaign under that policy. Of its five people one is dialled; one has no consent, one is not eligible,
 * one stands on a list. The last one is refused for two hours, the address is away once, and it is dialled
 * when the list is a newer one. A single call, too.
 */
export function askedStory(): readonly DomainEvent[] {
  const story = startedStory(PEOPLE, { maxRetries: 0 });
  const dial = (seconds: number, number: number, evidence: PolicyEvidence): void => {
    story.dial(seconds, [number, number]);
    const index = story.log.findLastIndex(({ type }) => type === "ContactDialed");
    const { data } = story.log[index] as ContactDialed;
    story.log[index] = {
      type: "ContactDialed",
      data: { ...data, evidence: { ...data.evidence, ...evidence } },
    };
  };
  const byAddress = { rule: "eligibility", value: null, limit: null } as const;
  story.log.unshift(policyChanged(1, -60, ASKED), listChanged(-90), listReplaced(-80, AS_OF));
  dial(3, 1, allowed(3, EXPIRES));
  story.log.push(
    skipped(2, 4, { reason: "no_consent" }),
    skipped(3, 5, { reason: "not_eligible", refusal: "moved away" }),
    skipped(4, 6, { reason: "suppressed", suppression: ON_LIST }),
    held(5, 7, { ...byAddress, until: at(7_207) }),
  );
  const [request, ...rest] = single("call_8", "+905321234502", 8, allowed(8, null));
  if (request?.type !== "CallRequested") throw new Error("no request");
  story.log.push({ ...request, data: { ...request.data, consent: GIVEN } }, ...rest, ended("call_8", 20));
  story.end(1, 30, "customer_ended");
  story.log.push(held(5, 7_210, { ...byAddress, rule: "eligibility_unavailable", until: at(7_240) }));
  story.log.push(listReplaced(7_250, NEWER_AS_OF));
  dial(7_300, 5, allowed(7_300, null, NEWER_AS_OF));
  story.end(5, 7_330, "customer_ended");
  return story.log;
}
