import type { CallWindow } from "../shared/call-window.ts";
import type { CallId } from "../shared/ids.ts";
import type { Instant } from "../shared/instant.ts";

/** Who may be called, by rules for all campaigns and single calls of an owner (docs/permission.md). */
export type Policy = {
  /** When people may be called where they live; null: at any hour. */
  readonly callableHours: CallWindow | null;
  /** How often one number may be dialled, by all campaigns and single calls together; null: no limit. */
  readonly attemptsPerNumber: AttemptsPerNumber | null;
  /** Whether a number that is in a call is not dialled a second time. */
  readonly oneCallAtATime: boolean;
  /**
   * Whether single calls are held to `oneCallAtATime` and the age of lists only; they count towards the caps
   * all the same.
   */
  readonly exceptSingleCalls: boolean;
  /** Only who has given consent is called; absent: whoever. */
  readonly requireConsent?: true;
  /**
   * Days after which a registry list is too old to call by, and without an active one nobody is called;
   * absent: no limit.
   */
  readonly listMaxAgeDays?: number;
  /** Who is asked before each dial; absent: nobody. */
  readonly eligibility?: EligibilityCheck;
};

/** With the rules that are off, as it is shown. */
export function inFull(policy: Policy) {
  return { requireConsent: false, listMaxAgeDays: null, eligibility: null, ...policy };
}

/** An address of the owner that is asked, seconds before each dial, whether the person may be called. */
export type EligibilityCheck = { readonly url: string; readonly timeoutMs: number };

/** Dials of a local day, of an ISO week and of a month; absent: no limit. At least one is given. */
export type AttemptsPerNumber = {
  readonly day?: number;
  readonly week?: number;
  readonly month?: number;
};

/** A version of an owner's policy; the first is 1. */
export type PolicyInForce = { readonly version: number; readonly policy: Policy };

/** Rules by their names everywhere: in refusals, holds, evidence, the audit and the API. */
export type PolicyRule =
  | "consent"
  | "oneCallAtATime"
  | "attemptsPerNumber"
  | "callableHours"
  | "zone_unknown"
  | "listAge"
  | "eligibility"
  | "eligibility_unavailable";

/** What a rule saw, and what it compared that with. */
export type PolicyCheck = {
  readonly rule: PolicyRule;
  /** As docs/permission.md has it by rule: live calls, dials of a period, a local time, a country. */
  readonly value: string | number | null;
  /** 1, `3/week`, `09:00–20:00 on Mon, Tue`, null. */
  readonly limit: string | number | null;
};

/** A rule that refuses a dial at `judgedAt`. */
export type PolicyRefusal = PolicyCheck & {
  /** The earliest instant at which all zones concerned allow it; null: not known (a live call), or never. */
  readonly until: Instant | null;
  /** The live call of the number; null: another rule, or nothing that has an event yet. */
  readonly heldBy: CallId | null;
};

/** What the zone of a person is concluded from. */
export type ZoneEvidence = {
  /** ISO 3166-1, two letters; null: the person's own zone was given, or the number has no country. */
  readonly country: string | null;
  /** How many zones with different rules the dial was judged in. */
  readonly count: number;
  /** `<package>@<version>/<tzdata>` of the zones. */
  readonly data: string;
  /** Earliest and latest local time among them, `2026-11-27T10:00:00.000+03:00`. */
  readonly local: readonly [earliest: string, latest: string];
};

/** Proof in ContactDialed and CallRequested that the policy allowed the dial; absent: there was none. */
export type PolicyEvidence = {
  readonly policyVersion: number;
  /** The one instant of all rules: the database's clock in the admission. */
  readonly judgedAt: Instant;
  readonly checks: readonly PolicyCheck[];
  /** null: no rule asked for a zone. */
  readonly zones: ZoneEvidence | null;
  /** What the owner's address answered; absent: it was not asked. */
  readonly eligibility?: EligibilityEvidence;
};

/** That the owner's address allowed the dial: the id of the question, when it was asked, for how long. */
export type EligibilityEvidence = {
  readonly eventId: string;
  readonly askedAt: Instant;
  readonly millis: number;
};

/** That somebody agreed to be called, as the owner says; `source` and `reference` are its own words. */
export type Consent = {
  /** null: erased. */
  readonly source: string | null;
  readonly at: Instant;
  /** From then on it counts as none; absent: never. */
  readonly expiresAt?: Instant;
  readonly reference?: string;
};

/** What a consent is judged by. */
export type ConsentTimes = Pick<Consent, "at" | "expiresAt">;
