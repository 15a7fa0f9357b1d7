import type { Policy, PolicyEvidence, PolicyRule } from "../../../domain/policy/policy.ts";
import type { CampaignId } from "../../../domain/shared/ids.ts";
import { millisOf } from "../../../domain/shared/instant.ts";
import type { AuditedEvent, Report } from "../broken-rule.ts";
import type { LocalTimes } from "../local-time.ts";
import { isInside } from "../window-rules.ts";
import { consentCounts, isTrueConsent } from "./consent-rules.ts";
import { judgeAnswers, lacksAnswer } from "./eligibility-rules.ts";
import { judgeHolds } from "./hold-rules.ts";
import { areListsYoung, isTrueListAge } from "./list-rules.ts";
import { capNamed, closedIn, countIn, PERIODS, type ZoneClocks, zoneClocks } from "./local-rules.ts";
import { personOf, type ZoneSource } from "./number-zones.ts";
import { judgePauses } from "./pause-rules.ts";
import {
  atMillis,
  earliestMillis,
  isDialled,
  isLive,
  LONGEST_WRITING_MILLIS,
  type Placed,
  type PolicyAudit,
  type PolicyBook,
  type PolicyDial,
  readPolicies,
} from "./policy-book.ts";

/** For so long after a change, by clocks that differ, the version before may still have been read. */
const VERSION_GRACE_MILLIS = 5_000;

/**
 * Each dial of a campaign, and each single call, against the owner's policy that stood when it was judged;
 * holds, skips and pauses of the campaign against the same. `history`: of the owner, in log order: the
 * versions of its policy, the changes of its lists, the campaign's events, and every dial of the numbers that
 * are judged, with its beginning and its end.
 */
export function judgePolicies(
  history: Iterable<AuditedEvent>,
  campaignId: CampaignId | null,
  times: LocalTimes,
  report: Report,
): void {
  const book = readPolicies(history, campaignId);
  const audit: PolicyAudit = { book, times, report };
  const judged = [...book.calls.values()].filter(
    (dial) => dial.campaignId === null || dial.campaignId === campaignId,
  );
  for (const dial of judged) judgeDial(audit, dial);
  judgeAnswers(audit, judged);
  judgeHolds(audit);
  judgePauses(audit);
}

function judgeDial(audit: PolicyAudit, dial: PolicyDial): void {
  const { book, report } = audit;
  const { evidence } = dial;
  const stood = book.versions.findLast(
    (version) => version.place < dial.dial.place && atMillis(version) + graceOf(dial) < dial.millis,
  );
  const judged = book.versions.find(
    ({ place, event }) => event.data.version === evidence?.policyVersion && place < dial.dial.place,
  );
  if (evidence !== null && judged === undefined)
    report("policy-evidence", `Nobody wrote version ${evidence.policyVersion} of a policy`, dial.dial);
  if (stood !== undefined && stood.event.data.version > (evidence?.policyVersion ?? 0) && !hadNoGrant(dial))
    report(
      "policy-evidence",
      `${dial.callId} is judged by ${versionText(evidence)}, and version ${stood.event.data.version} stood`,
      stood,
      dial.dial,
    );
  if (evidence !== null && judged !== undefined) {
    judgeEvidence(audit, dial, evidence, judged.event.data.policy);
    judgeAllowed(audit, dial, judged.event.data.policy, { millis: dial.millis, event: dial.dial });
  }
  judgeBeginning(audit, dial);
}

/** Its slot was freed before it was stored, as of a repeat after a crash: it ends `not_placed`. */
function hadNoGrant({ campaignId, evidence, began }: PolicyDial): boolean {
  return campaignId === null && evidence === null && began === null;
}

function graceOf({ evidence }: PolicyDial): number {
  return evidence === null ? LONGEST_WRITING_MILLIS : VERSION_GRACE_MILLIS;
}

function versionText(evidence: PolicyEvidence | null): string {
  return evidence === null ? "no policy" : `version ${evidence.policyVersion}`;
}

/** What stood by the time of its beginning was judged again if it is newer; the hours count in any case. */
function judgeBeginning(audit: PolicyAudit, dial: PolicyDial): void {
  const { began, evidence } = dial;
  if (began === null) return;
  const millis = atMillis(began);
  const stood = audit.book.versions.findLast(
    (version) => version.place < began.place && atMillis(version) + VERSION_GRACE_MILLIS < millis,
  );
  if (stood === undefined) return;
  const { version, policy } = stood.event.data;
  const moment = { millis, event: began };
  if (version > (evidence?.policyVersion ?? 0)) judgeAllowed(audit, dial, policy, moment);
  else if (version === evidence?.policyVersion) {
    judgeHours(audit, dial, policy, moment);
    judgeLists(audit, dial, policy, moment);
  }
}

type Moment = { readonly millis: number; readonly event: Placed };

function judgeAllowed(audit: PolicyAudit, dial: PolicyDial, policy: Policy, moment: Moment): void {
  if (policy.oneCallAtATime) judgeAlone(audit, dial, moment);
  judgeHours(audit, dial, policy, moment);
  judgeCaps(audit, dial, policy, moment);
  judgeLists(audit, dial, policy, moment);
  if (isExempt(dial, policy.exceptSingleCalls)) return;
  const forbidden = (problem: string) => audit.report("policy-dial-allowed", problem, moment.event);
  if (policy.requireConsent && !consentCounts(dial.consent, moment.millis))
    forbidden(`${dial.callId} rings somebody whose consent does not count`);
  if (lacksAnswer(audit, dial, policy)) forbidden(`Nobody was asked whether ${dial.callId} may ring`);
}

/** Single calls are held to it in any case. */
function judgeLists(
  { book, report }: PolicyAudit,
  { callId }: PolicyDial,
  { listMaxAgeDays }: Policy,
  { millis, event }: Moment,
): void {
  if (listMaxAgeDays !== undefined && !areListsYoung(book, listMaxAgeDays, millis))
    report(
      "policy-dial-allowed",
      `${callId} rings, and no list is younger than ${listMaxAgeDays} days`,
      event,
    );
}

function judgeAlone({ book, report }: PolicyAudit, dial: PolicyDial, { millis, event }: Moment): void {
  const live = earlierThan(book, dial).find((other) => isLive(other, event.place, millis));
  if (live === undefined) return;
  const problem = `${dial.callId} rings a number that ${live.callId} is in a call with`;
  report("policy-dial-allowed", problem, live.dial, event);
}

/**
 * Dials of the same number that were judged before it. Of those of one millisecond the one that counted more
 * was the later; else the log says it.
 */
function earlierThan({ numbers }: PolicyBook, dial: PolicyDial): readonly PolicyDial[] {
  return (numbers.get(dial.phoneNumber) ?? []).filter((other) => {
    if (other.millis !== dial.millis) return other.millis < dial.millis;
    const difference = countedBy(other) - countedBy(dial);
    return other !== dial && (difference === 0 ? other.dial.place < dial.dial.place : difference < 0);
  });
}

function countedBy({ evidence }: PolicyDial): number {
  return Number(evidence?.checks.find(({ rule }) => rule === "attemptsPerNumber")?.value ?? 0);
}

function judgeHours(
  audit: PolicyAudit,
  dial: PolicyDial,
  { callableHours, exceptSingleCalls }: Policy,
  { millis, event }: Moment,
): void {
  if (callableHours === null || isExempt(dial, exceptSingleCalls)) return;
  const closed = (when: string) =>
    audit.report("policy-dial-allowed", `It is ${when} where ${dial.callId} rings, which is closed`, event);
  const clocks = clocksOf(audit, dial);
  if (clocks === null) {
    const local = millis === dial.millis ? (dial.evidence?.zones?.local ?? []) : [];
    for (const time of local) if (!isInside(callableHours, time.slice(0, 19))) closed(time);
    return;
  }
  const last = millisOf(dial.dial.event.data.dialBy) - 1;
  for (const each of millis === dial.millis ? [millis, last] : [millis]) {
    const zone = closedIn(clocks, callableHours, each);
    if (zone !== null) closed(`${clocks.local(zone, each)} (${zone})`);
  }
}

function judgeCaps(
  audit: PolicyAudit,
  dial: PolicyDial,
  { attemptsPerNumber, exceptSingleCalls }: Policy,
  { millis, event }: Moment,
): void {
  if (attemptsPerNumber === null || isExempt(dial, exceptSingleCalls)) return;
  const clocks = clocksOf(audit, dial);
  if (clocks === null) return;
  const dials = earlierThan(audit.book, dial).filter(isDialled);
  for (const period of PERIODS) {
    const cap = attemptsPerNumber[period];
    const count = countIn(period, dials.map(earliestMillis), clocks, millis);
    if (cap !== undefined && count >= cap)
      audit.report(
        "policy-dial-allowed",
        `${dial.callId} is dial ${count + 1} of its number in a ${period}, of ${cap}`,
        ...dials.map(({ dial }) => dial).toSorted((a, b) => a.place - b.place),
        event,
      );
  }
}

function isExempt({ campaignId }: PolicyDial, exceptSingleCalls: boolean): boolean {
  return exceptSingleCalls && campaignId === null;
}

/** null: its zones cannot be computed here, or nobody knows them. */
function clocksOf({ times }: PolicyAudit, dial: PolicyDial): ZoneClocks | null {
  const { zones } = personOf(dial.phoneNumber, sourceOf(dial));
  return zones === null ? null : zoneClocks(zones, times);
}

/** What the zones of a dial are computed from. */
function sourceOf({ timezone, evidence }: PolicyDial): ZoneSource {
  return { timezone, evidence: evidence?.zones ?? null };
}

function judgeEvidence(audit: PolicyAudit, dial: PolicyDial, evidence: PolicyEvidence, policy: Policy): void {
  const { judgedAt, checks, zones } = evidence;
  const untrue = (what: string) =>
    audit.report("policy-evidence", `${what} of the evidence is not true`, dial.dial);
  if (judgedAt > dial.dial.event.data.dialAt) untrue("judgedAt");
  const rules = rulesFor(policy, dial);
  const named = checks.map(({ rule }) => rule);
  if (named.length !== rules.length || rules.some((rule) => !named.includes(rule))) untrue("checks");
  const asksForZone = rules.includes("attemptsPerNumber") || rules.includes("callableHours");
  if ((zones !== null) !== asksForZone) untrue("zones");
  else if (zones !== null) judgeZones(audit, dial, zones, untrue);
  const isTrue: Readonly<Partial<Record<PolicyRule, (check: Check) => boolean>>> = {
    attemptsPerNumber: (check) => isTrueCount(audit, dial, policy, check),
    consent: (check) => isTrueConsent(dial, check),
    listAge: (check) => check.limit === policy.listMaxAgeDays && isTrueListAge(audit, dial, check),
  };
  for (const check of checks) if (isTrue[check.rule]?.(check) === false) untrue(check.rule);
}

type Check = PolicyEvidence["checks"][number];

function rulesFor(policy: Policy, dial: PolicyDial): readonly PolicyRule[] {
  const isFree = isExempt(dial, policy.exceptSingleCalls);
  return [
    ...(policy.requireConsent && !isFree ? (["consent"] as const) : []),
    ...(policy.oneCallAtATime ? (["oneCallAtATime"] as const) : []),
    ...(policy.attemptsPerNumber !== null && !isFree ? (["attemptsPerNumber"] as const) : []),
    ...(policy.callableHours !== null && !isFree ? (["callableHours"] as const) : []),
    ...(policy.listMaxAgeDays === undefined ? [] : (["listAge"] as const)),
  ];
}

function judgeZones(
  audit: PolicyAudit,
  dial: PolicyDial,
  { country, count, local }: NonNullable<PolicyEvidence["zones"]>,
  untrue: (what: string) => void,
): void {
  const person = personOf(dial.phoneNumber, sourceOf(dial));
  if (!person.isKnown) return;
  if (person.zones === null) {
    audit.report("policy-dial-allowed", `Nobody knows the zone where ${dial.callId} rings`, dial.dial);
    return;
  }
  if (country !== person.country) untrue("country");
  const clocks = zoneClocks(person.zones, audit.times);
  if (clocks === null) return;
  const shown = clocks.zones.map((zone) => clocks.local(zone, dial.millis)).toSorted();
  if (count < 1 || count > shown.length) untrue("count");
  const isTold = local.map((time) => time.slice(0, 19)).join() === [shown[0], shown.at(-1)].join();
  if (!isTold || local.some((time) => Date.parse(time) !== dial.millis)) untrue("local");
}

/** More may have been counted than has an event: grants that were given back. */
function isTrueCount(
  audit: PolicyAudit,
  dial: PolicyDial,
  { attemptsPerNumber }: Policy,
  { value, limit }: Check,
): boolean {
  const cap = capNamed(attemptsPerNumber, limit);
  if (cap === null || typeof value !== "number" || value >= cap.most) return false;
  const clocks = clocksOf(audit, dial);
  const dials = earlierThan(audit.book, dial).filter(isDialled).map(earliestMillis);
  return clocks === null || value >= countIn(cap.period, dials, clocks, dial.millis);
}
