import type { AuditRule } from "../../../../application/audit/broken-rule.ts";
import type { CampaignPaused, PauseReason } from "../../../../domain/campaign/events.ts";
import { at, campaignId } from "../../../domain/campaign/example-campaign.ts";
import { added, both, changed, evidence, missing, moved, type Plant } from "../plant.ts";
import {
  AS_OF,
  ASKED,
  answered,
  EXPIRES,
  listChanged,
  listReplaced,
  NEWER_AS_OF,
  ON_LIST,
  skipped,
} from "./example-asked.ts";
import { policyChanged } from "./example-policies.ts";

/** The policy had another form all along. */
const policy = (changes: Parameters<typeof policyChanged>[2]): Plant =>
  changed("PolicyChanged", 0, () => policyChanged(1, -60, { ...ASKED, ...changes }).data);
const consents = (change: (nth: number) => object | undefined): Plant =>
  changed("ContactsImported", 0, ({ contacts }) => ({
    contacts: contacts.map(({ consent: _consent, ...rest }, nth) => {
      const consent = change(nth);
      return consent === undefined ? rest : { ...rest, consent };
    }),
  }));
const check = (nth: number, rule: string, change: object): Plant =>
  changed("ContactDialed", nth, ({ evidence }) => ({
    evidence: {
      ...evidence,
      checks: evidence.checks?.map((each) => (each.rule === rule ? { ...each, ...change } : each)),
    },
  }));
const unasked = (nth: number): Plant =>
  changed("ContactDialed", nth, ({ evidence: { eligibility: _answer, ...rest } }) => ({ evidence: rest }));
const answer = (nth: number, change: object): Plant =>
  evidence(nth, { eligibility: { ...answered(nth === 0 ? 3 : 7_300), ...change } });
const hold = (nth: number, change: object): Plant => changed("ContactHeld", nth, () => change);
const skip = (nth: number, change: object): Plant => changed("ContactSkipped", nth, () => change);

/** The policy never asked for it. */
const without = (field: "eligibility" | "requireConsent" | "listMaxAgeDays"): Plant =>
  changed("PolicyChanged", 0, ({ policy: { [field]: _field, ...rest } }) => ({ policy: rest }));
const nobodyAsked = without("eligibility");
const paused = (reason: PauseReason, seconds: number): CampaignPaused => ({
  type: "CampaignPaused",
  data: {
    ...{ campaignId, at: at(seconds), reason, nextWindowOpensAt: null },
    ...(reason === "policy_refuses_all" ? { policyVersion: 1 } : {}),
  },
});
const pause = (reason: PauseReason, change: Plant = (log) => log): Plant =>
  both(change, added(paused(reason, 2.5), "before", "ContactDialed", 0));
const withoutLists = (plant: Plant): Plant =>
  both(both(missing("SuppressionListReplaced", 1), missing("SuppressionListReplaced", 0)), plant);

/** What a service that broke the rule would have written into the history of `askedStory`. */
export const PLANTED_ASKED: readonly (readonly [problem: string, rule: AuditRule, plant: Plant])[] = [
  ["somebody without consent is dialled", "policy-dial-allowed", consents(() => undefined)],
  [
    "a consent has expired",
    "policy-dial-allowed",
    consents(() => ({ source: "form", at: AS_OF, expiresAt: at(-1) })),
  ],
  ["a consent is of tomorrow", "policy-dial-allowed", consents(() => ({ source: "form", at: EXPIRES }))],
  [
    "a single call is made without consent",
    "policy-dial-allowed",
    changed("CallRequested", 1, ({ consent: _consent, ...data }) => ({ ...data, consent: undefined })),
  ],
  ["another consent is told", "policy-evidence", check(0, "consent", { value: AS_OF })],
  ["another end of the consent is told", "policy-evidence", check(0, "consent", { limit: null })],
  [
    "a dial may begin when the consent is over",
    "policy-evidence",
    both(
      consents(() => ({ source: "form", at: at(-86_400), expiresAt: at(17) })),
      check(0, "consent", { limit: at(17) }),
    ),
  ],
  ["the list is too old", "policy-dial-allowed", policy({ listMaxAgeDays: 5 })],
  ["there is no list", "policy-dial-allowed", withoutLists(missing("SuppressionListChanged", 0))],
  [
    "the list was off",
    "policy-dial-allowed",
    added(listChanged(-20, { active: false }), "before", "ContactsImported", 0),
  ],
  [
    "a registry without numbers stands beside it",
    "policy-dial-allowed",
    added(listChanged(-20, { listId: "spl_2" }), "before", "ContactsImported", 0),
  ],
  [
    "a call begins when the list is off",
    "policy-dial-allowed",
    both(
      added(listChanged(7_301, { active: false }), "before", "CallDialingBegan", 2),
      changed("CallDialingBegan", 2, () => ({ at: at(7_310) })),
    ),
  ],
  ["another day of the list is told", "policy-evidence", check(1, "listAge", { value: AS_OF })],
  ["another limit of days is told", "policy-evidence", check(1, "listAge", { limit: 31 })],
  [
    "a dial may begin when the list is too old",
    "policy-evidence",
    both(
      changed("SuppressionListReplaced", 0, () => ({ asOf: at(17 - 30 * 86_400) })),
      check(0, "listAge", { value: at(17 - 30 * 86_400) }),
    ),
  ],
  [
    "consent is not checked",
    "policy-evidence",
    evidence(0, { checks: [{ rule: "listAge", value: AS_OF, limit: 30 }] }),
  ],
  ["nobody was asked about a contact", "policy-dial-allowed", unasked(0)],
  [
    "nobody was asked about a single call",
    "policy-dial-allowed",
    changed("CallRequested", 1, ({ evidence }) => {
      if (evidence === undefined) throw new Error("no evidence");
      const { eligibility: _answer, ...rest } = evidence;
      return { evidence: rest };
    }),
  ],
  [
    "the campaign's own address was not asked",
    "policy-dial-allowed",
    both(
      both(nobodyAsked, unasked(0)),
      changed("CampaignCreated", 0, ({ settings }) => ({
        settings: { ...settings, eligibility: ASKED.eligibility ?? null },
      })),
    ),
  ],
  [
    "a newer version asks, and the call begins without",
    "policy-dial-allowed",
    both(
      both(nobodyAsked, unasked(1)),
      both(
        added(policyChanged(2, 7_301, ASKED), "before", "CallDialingBegan", 2),
        changed("CallDialingBegan", 2, () => ({ at: at(7_307) })),
      ),
    ),
  ],
  ["an answer is used twice", "policy-evidence", answer(1, { eventId: "evt_3" })],
  ["an answer is older than a minute", "policy-evidence", answer(0, { askedAt: at(-50) })],
  ["an answer came after the dial was judged", "policy-evidence", answer(0, { askedAt: at(10) })],
  ["an answer took a minute", "policy-evidence", answer(0, { millis: 60_000 })],
  ["an answer is told, and nobody is asked", "policy-evidence", nobodyAsked],
  ["a hold by an address that nobody asks", "policy-hold-legal", nobodyAsked],
  ["an address holds for more than 30 days", "policy-hold-legal", hold(0, { until: at(31 * 86_400) })],
  ["an address that is away holds for an hour", "policy-hold-legal", hold(1, { until: at(7_210 + 3_600) })],
  ["an address holds, and nobody knows until when", "policy-hold-legal", hold(0, { until: null })],
  ["an address holds by a call", "policy-hold-legal", hold(0, { heldBy: "call_8" })],
  ["a short hold is told twice an hour", "policy-hold-legal", hold(1, { at: at(3_000), until: at(3_030) })],
  ["a contact is dialled that the address refuses", "policy-hold-legal", hold(0, { until: at(8_000) })],
  ["a hold names a version where there is none", "policy-hold-legal", hold(0, { policyVersion: 4 })],
  ["somebody with consent is skipped for it", "policy-skip-legal", skip(0, { contactId: "ctc_5" })],
  ["consent is not asked for", "policy-skip-legal", without("requireConsent")],
  ["somebody is not eligible, and nobody is asked", "policy-skip-legal", nobodyAsked],
  [
    "somebody is skipped for a list that there is not",
    "policy-skip-legal",
    skip(2, { suppression: { ...ON_LIST, list: { ...ON_LIST.list, id: "spl_9" } } }),
  ],
  [
    "somebody is skipped for a list that was off",
    "policy-skip-legal",
    changed("SuppressionListChanged", 0, () => ({ active: false })),
  ],
  [
    "somebody is skipped for a list without numbers",
    "policy-skip-legal",
    changed("SuppressionListReplaced", 0, () => ({ at: at(20) })),
  ],
  ["it is paused for consent, and somebody has one", "policy-pause-legal", pause("policy_refuses_all")],
  [
    "it is paused for consent that is not asked for",
    "policy-pause-legal",
    pause(
      "policy_refuses_all",
      both(
        consents(() => undefined),
        without("requireConsent"),
      ),
    ),
  ],
  [
    "it is paused by a version that does not stand",
    "policy-pause-legal",
    added(
      {
        ...paused("policy_refuses_all", 2.5),
        data: { ...paused("policy_refuses_all", 2.5).data, policyVersion: 3 },
      },
      "before",
      "ContactDialed",
      0,
    ),
  ],
  [
    "it is paused for one who is left",
    "policy-pause-legal",
    both(
      consents(() => undefined),
      added(paused("policy_refuses_all", 7_299), "before", "ContactDialed", 1),
    ),
  ],
  [
    "it is paused for a list, and no list is asked for",
    "policy-pause-legal",
    withoutLists(pause("list_outdated", without("listMaxAgeDays"))),
  ],
  [
    "it is paused for an address that nobody asks",
    "policy-pause-legal",
    pause("eligibility_unavailable", nobodyAsked),
  ],
];

/** What may be so, and breaks no rule. */
export const LEGAL_ASKED: readonly (readonly [what: string, rule: AuditRule, plant: Plant])[] = [
  [
    "all who are left have no consent",
    "policy-pause-legal",
    pause(
      "policy_refuses_all",
      consents(() => undefined),
    ),
  ],
  [
    "the list has become too old",
    "policy-pause-legal",
    pause("list_outdated", policy({ listMaxAgeDays: 5 })),
  ],
  ["the address does not answer", "policy-pause-legal", pause("eligibility_unavailable")],
  [
    "the newer list was read before its event was there",
    "policy-evidence",
    moved("SuppressionListReplaced", 1, "ContactSucceeded", 1),
  ],
  [
    "the older list was read when the newer came",
    "policy-evidence",
    both(
      changed("SuppressionListReplaced", 1, () => listReplaced(7_298, NEWER_AS_OF).data),
      check(1, "listAge", { value: AS_OF }),
    ),
  ],
  [
    "the contact expired while it was skipped",
    "policy-skip-legal",
    both(
      consents((nth) =>
        nth === 1 ? { source: "form", at: AS_OF, expiresAt: at(6) } : { source: "form", at: AS_OF },
      ),
      skip(0, skipped(2, 4, { reason: "no_consent" }).data),
    ),
  ],
];
