import type { AuditRule } from "../../../../application/audit/broken-rule.ts";
import type { ContactDialed, ContactSkipped } from "../../../../domain/campaign/events.ts";
import type { PolicyEvidence } from "../../../../domain/policy/policy.ts";
import { at, campaignId } from "../../../domain/campaign/example-campaign.ts";
import { added, both, changed, evidence, missing, moved, type Plant, twice } from "../plant.ts";
import { ended, judged, MIDNIGHT, policyChanged, single } from "./example-policies.ts";

/** The policy had another form all along. */
const policy = (changes: Parameters<typeof policyChanged>[2]): Plant =>
  changed("PolicyChanged", 0, () => policyChanged(1, -60, changes).data);

/** The n-th dial says something else of its checks. */
const check = (nth: number, rule: string, change: object): Plant =>
  changed("ContactDialed", nth, ({ evidence }) => ({
    evidence: {
      ...evidence,
      checks: evidence.checks?.map((each) => (each.rule === rule ? { ...each, ...change } : each)),
    },
  }));
const zones = (nth: number, change: object): Plant =>
  changed("ContactDialed", nth, ({ evidence }) => ({
    evidence: { ...evidence, zones: { ...evidence.zones, ...change } },
  }));
/** A dial without a word of the policy. */
const unjudged: Plant = changed("ContactDialed", 2, ({ evidence }) => {
  const { policyVersion: _version, judgedAt: _at, checks: _checks, zones: _zones, ...rest } = evidence;
  return { evidence: rest };
});
const hold = (nth: number, change: object): Plant => changed("ContactHeld", nth, () => change);

/** A single call to the first number in the evening, which is over at once. */
const third = (evidenceOf: PolicyEvidence): Plant => {
  const [request, began] = single("call_7", "+905321234501", 90, evidenceOf);
  if (request === undefined || began === undefined) throw new Error("no call");
  return both(
    added(ended("call_7", 90.9), "after", "ContactHeld", 1),
    both(added(began, "after", "ContactHeld", 1), added(request, "after", "ContactHeld", 1)),
  );
};

const skipped = (number: number): ContactSkipped => ({
  type: "ContactSkipped",
  data: { campaignId, at: at(92), contactId: `ctc_${number}`, reason: "zone_unknown", outcome: "failed" },
});
/** The held contact is dialled all the same. */
const againWhileHeld = (change: Partial<ContactDialed["data"]["evidence"]> = {}): Plant =>
  both(
    changed("ContactDialed", 2, ({ evidence, ...dial }) => ({
      ...dial,
      contactId: "ctc_1",
      phoneNumber: "+905321234501",
      attempt: 2,
      evidence: { ...evidence, ...change },
    })),
    policy({ attemptsPerNumber: { day: 2 } }),
  );

/** What a service that broke a rule of the policy would have written into the history of `policyStory`. */
export const PLANTED_POLICIES: readonly (readonly [problem: string, rule: AuditRule, plant: Plant])[] = [
  ["the cap of a day is one less", "policy-dial-allowed", policy({ attemptsPerNumber: { day: 1 } })],
  ["the cap of a week is one", "policy-dial-allowed", policy({ attemptsPerNumber: { day: 2, week: 1 } })],
  ["the cap of a month is one", "policy-dial-allowed", policy({ attemptsPerNumber: { day: 2, month: 1 } })],
  ["a third call of a day to a number", "policy-dial-allowed", third(judged(90, 1))],
  [
    "people are called before the hours",
    "policy-dial-allowed",
    policy({ callableHours: { start: 14, end: 18 } }),
  ],
  [
    "people are called when the hours end",
    "policy-dial-allowed",
    policy({ callableHours: { start: 9, end: 13 } }),
  ],
  [
    "a dial may begin after the hours end",
    "policy-dial-allowed",
    both(
      policy({ callableHours: { start: 9, end: 13, endMinute: 2 } }),
      changed("ContactDialed", 2, () => ({ dialBy: at(121) })),
    ),
  ],
  [
    "people are called on a day without hours",
    "policy-dial-allowed",
    policy({ callableHours: { start: 9, end: 18, days: [1] } }),
  ],
  [
    "somebody of another country is called at night",
    "policy-dial-allowed",
    changed("ContactsImported", 0, ({ contacts }) => ({
      contacts: contacts.map((each) => ({ ...each, timezone: null })),
    })),
  ],
  [
    "a call begins under a newer version whose hours are closed",
    "policy-dial-allowed",
    both(
      added(
        policyChanged(2, 101, { callableHours: { start: 20, end: 21 } }),
        "before",
        "CallDialingBegan",
        4,
      ),
      changed("CallDialingBegan", 4, () => ({ at: at(107) })),
    ),
  ],
  [
    "a number is rung while a single call talks with it",
    "policy-dial-allowed",
    moved("CallFailed", 2, "ContactSucceeded", 1),
  ],
  [
    "a single call is made at night in the zone that it was given",
    "policy-dial-allowed",
    changed("CallRequested", 3, () => ({ timezone: "Pacific/Auckland" })),
  ],
  ["a call names a version that nobody wrote", "policy-evidence", evidence(1, { policyVersion: 3 })],
  ["no version was ever written", "policy-evidence", missing("PolicyChanged")],
  [
    "a call is judged by the version before",
    "policy-evidence",
    added(policyChanged(2, 90), "after", "ContactHeld", 1),
  ],
  ["a call is judged by nothing", "policy-evidence", both(unjudged, policy({}))],
  [
    "a call is judged after its turn",
    "policy-evidence",
    changed("ContactDialed", 1, () => ({ dialAt: at(3.9) })),
  ],
  ["a rule is not checked", "policy-evidence", evidence(0, { checks: judged(3, 0).checks.slice(1) })],
  ["a rule is checked that there is not", "policy-evidence", policy({ callableHours: null })],
  ["a dial less is counted", "policy-evidence", check(2, "attemptsPerNumber", { value: 0 })],
  ["a cap counts as allowed that is full", "policy-evidence", check(2, "attemptsPerNumber", { value: 2 })],
  ["a limit is told that is none", "policy-evidence", check(2, "attemptsPerNumber", { limit: "3/day" })],
  ["no zone is told", "policy-evidence", evidence(0, { zones: null })],
  ["another country is told", "policy-evidence", zones(0, { country: "US" })],
  ["more zones are told than there are", "policy-evidence", zones(0, { count: 2 })],
  [
    "another local time is told",
    "policy-evidence",
    zones(0, { local: ["2026-09-01T13:00:03.000+03:00", "2026-09-01T14:00:03.000+04:00"] }),
  ],
  ["a hold is told twice", "policy-hold-legal", twice("ContactHeld", 1)],
  ["a contact is held that is in a call", "policy-hold-legal", moved("ContactHeld", 1, "CallConnected", 0)],
  ["a contact is held before the start", "policy-hold-legal", moved("ContactHeld", 0, "CampaignStarted", 0)],
  ["a hold names a version that does not stand", "policy-hold-legal", hold(0, { policyVersion: 2 })],
  [
    "a hold is by a version of long ago",
    "policy-hold-legal",
    both(added(policyChanged(2, -58), "before", "CampaignStarted"), hold(1, {})),
  ],
  ["a hold of a cap that is not filled", "policy-hold-legal", hold(1, { value: 1 })],
  ["a hold of a cap that there is not", "policy-hold-legal", hold(1, { value: 3, limit: "3/day" })],
  [
    "a hold before its number was dialled so often",
    "policy-hold-legal",
    moved("ContactHeld", 1, "CallRequested", 3),
  ],
  ["a hold ends a minute early", "policy-hold-legal", hold(1, { until: "2026-09-01T20:59:00.000Z" })],
  ["a hold ends a day late", "policy-hold-legal", hold(1, { until: "2026-09-02T21:00:00.000Z" })],
  ["a cap holds and nobody knows until when", "policy-hold-legal", hold(1, { until: null })],
  ["a cap is held by a call", "policy-hold-legal", hold(1, { heldBy: "call_9" })],
  ["a hold by a call that there is not", "policy-hold-legal", hold(0, { heldBy: "call_6" })],
  ["a hold by a call with another number", "policy-hold-legal", hold(0, { heldBy: "call_3" })],
  ["a hold by a call that was over", "policy-hold-legal", hold(0, { at: at(396) })],
  ["a call holds until a time", "policy-hold-legal", hold(0, { until: MIDNIGHT })],
  ["a call holds where several are allowed", "policy-hold-legal", policy({ oneCallAtATime: false })],
  ["a contact is dialled that is held", "policy-hold-legal", againWhileHeld()],
  [
    "somebody is skipped whose country has one zone",
    "policy-skip-legal",
    added(skipped(1), "before", "ContactDialed", 2),
  ],
  [
    "somebody is skipped for a zone that no rule asks for",
    "policy-skip-legal",
    both(
      policy({ callableHours: null, attemptsPerNumber: null }),
      added(skipped(1), "before", "ContactDialed", 2),
    ),
  ],
];
