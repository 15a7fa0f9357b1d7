import type { BodyOf, RouteAt } from "../../../../contract/asking.ts";
import { datesOf, EVERY_DAY, type HoursDraft, partsOf } from "../../calling/calling-draft.ts";
import { hoursDraftOf, type PolicyRecord } from "../../policy/sentences.ts";

type PolicyBody = BodyOf<RouteAt<"PUT", "/api/v1/policy">>;

/** A policy as in its controls; a rule that is off keeps what is typed for it. */
export type PolicyDraft = {
  readonly hasHours: boolean;
  readonly hours: HoursDraft;
  readonly hasAttempts: boolean;
  /** Empty: no limit for it. */
  readonly attempts: Readonly<Record<"day" | "week" | "month", string>>;
  readonly oneCallAtATime: boolean;
  readonly requireConsent: boolean;
  readonly hasListAge: boolean;
  readonly listMaxAgeDays: string;
  readonly hasEligibility: boolean;
  readonly eligibility: Readonly<Record<"url" | "timeoutMs", string>>;
  readonly exceptSingleCalls: boolean;
};

/** What is proposed with a rule that is turned on. */
const PROPOSED_ATTEMPTS = { day: "2", week: "", month: "" };
const PROPOSED_DAYS = "31";
const PROPOSED_TIMEOUT = "2000";

/** null: there is none yet, and nothing is on. */
export function policyDraftOf(policy: PolicyRecord | null): PolicyDraft {
  const { callableHours = null, attemptsPerNumber = null, listMaxAgeDays = null } = policy ?? {};
  const eligibility = policy?.eligibility ?? null;
  const text = (value: number | undefined) => (value === undefined ? "" : String(value));
  return {
    hasHours: callableHours !== null,
    hours: hoursDraftOf(callableHours),
    hasAttempts: attemptsPerNumber !== null,
    attempts:
      attemptsPerNumber === null
        ? PROPOSED_ATTEMPTS
        : {
            day: text(attemptsPerNumber.day),
            week: text(attemptsPerNumber.week),
            month: text(attemptsPerNumber.month),
          },
    oneCallAtATime: policy?.oneCallAtATime ?? false,
    requireConsent: policy?.requireConsent ?? false,
    hasListAge: listMaxAgeDays !== null,
    listMaxAgeDays: text(listMaxAgeDays ?? undefined) || PROPOSED_DAYS,
    hasEligibility: eligibility !== null,
    eligibility: {
      url: eligibility?.url ?? "",
      timeoutMs: text(eligibility?.timeoutMs) || PROPOSED_TIMEOUT,
    },
    exceptSingleCalls: policy?.exceptSingleCalls ?? false,
  };
}

/** The whole policy for the API. What is no number is sent as 0, which it refuses. */
export function policyOf(draft: PolicyDraft): PolicyBody {
  const { attempts, eligibility } = draft;
  return {
    callableHours: draft.hasHours ? callableHoursOf(draft.hours) : null,
    attemptsPerNumber: draft.hasAttempts
      ? { ...limit("day", attempts.day), ...limit("week", attempts.week), ...limit("month", attempts.month) }
      : null,
    oneCallAtATime: draft.oneCallAtATime,
    requireConsent: draft.requireConsent,
    listMaxAgeDays: draft.hasListAge ? numberOf(draft.listMaxAgeDays) : null,
    eligibility: draft.hasEligibility
      ? { url: eligibility.url.trim(), timeoutMs: numberOf(eligibility.timeoutMs) }
      : null,
    exceptSingleCalls: draft.exceptSingleCalls,
  };
}

function callableHoursOf(hours: HoursDraft): NonNullable<PolicyBody["callableHours"]> {
  const [start, startMinute] = hours.isAnyHour ? [0, 0] : partsOf(hours.callWindowStart);
  const [end, endMinute] = hours.isAnyHour ? [0, 0] : partsOf(hours.callWindowEnd);
  const { callWindowDays: days } = hours;
  return {
    start: start ?? 0,
    startMinute,
    end: end ?? 0,
    endMinute,
    ...(days.length === EVERY_DAY.length ? {} : { days }),
    excludedDates: datesOf(hours),
  };
}

const limit = (period: string, text: string): Readonly<Record<string, number>> =>
  text.trim() === "" ? {} : { [period]: numberOf(text) };

function numberOf(text: string): number {
  const number = Number(text.trim());
  return Number.isNaN(number) ? 0 : number;
}

/**
 * The control that a refusal is about: minutes stand with their hour, a date among all of them, and limits as
 * a whole are marked at the first.
 */
export function controlOf([first = "", second]: readonly (string | number)[]): string {
  if (first === "attemptsPerNumber") return `attemptsPerNumber.${second ?? "day"}`;
  return second === undefined ? String(first) : `${first}.${String(second).replace(/Minute$/, "")}`;
}
