import type { EndReason } from "../../domain/call/end-reason.ts";
import type { RetryPlanRow } from "../../domain/campaign/settings.ts";
import type { Policy } from "../../domain/policy/policy.ts";
import type { CallWindow } from "../../domain/shared/call-window.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { ListPut } from "./simulated-lists.ts";

/** An action or an event at a moment after the start of the campaign (milliseconds of virtual time). */
export type ScenarioAction = { readonly at: number } & (
  | { readonly kind: "pause" | "resume" }
  | { readonly kind: "cancel"; readonly hangUpActiveCalls: boolean }
  /** call: a call outside of the campaign to a number of it. take off: the do-not-call list, by hand. */
  | { readonly kind: "suppress" | "take off" | "skip" | "call"; readonly contact: number }
  | { readonly kind: "add contacts"; readonly contacts: readonly ScenarioContact[] }
  | { readonly kind: "change settings"; readonly maxConcurrentCalls: number; readonly maxRetries: number }
  | { readonly kind: "change plan"; readonly retryPlan: readonly RetryPlanRow[] | null }
  /** Another greeting each round, by turns the other assistant and the other number. */
  | { readonly kind: "change texts"; readonly round: number }
  | { readonly kind: "number" | "assistant"; readonly usable: boolean }
  | { readonly kind: "top up"; readonly calls: number }
  | { readonly kind: "clock step"; readonly millis: number }
  | { readonly kind: "carrier away"; readonly millis: number }
  /** The campaign's number uses the second connection from now on, or the installation's default again. */
  | { readonly kind: "connection"; readonly second: boolean }
  | { readonly kind: "second carrier away"; readonly millis: number }
  /** It restarts with another instance: its calls are gone. */
  | { readonly kind: "second carrier replaced" }
  | { readonly kind: "kill" }
  | { readonly kind: "policy"; readonly policy: Policy }
  | ({ readonly kind: "list" } & ListPut)
  | { readonly kind: "address away"; readonly millis: number }
);

export type ScenarioContact = {
  readonly phoneNumber: PhoneNumber;
  readonly timezone: string | null;
  /** Given a day before the beginning; expires so many ms after it, null: never. Absent: none. */
  readonly consent?: { readonly expiresAt: number | null };
};

/** Probabilities of faults of carrier and line. */
export type CarrierFaults = {
  readonly slowAccept: number;
  readonly replyLost: number;
  readonly requestLost: number;
  readonly refusedConnection: number;
  readonly callbackLost: number;
  readonly callbackTwice: number;
  readonly callbackLate: number;
  readonly silent: number;
  readonly hangUpUnknown: number;
  readonly lookupUnavailable: number;
  /** It is overloaded; drawn for each dial of a number. */
  readonly throttled: number;
  /** It proves that it never had a call, where another one answers absent. */
  readonly neverDialled: number;
};

/** Probabilities of faults of a customer's webhook receiver. */
export type ReceiverFaults = {
  readonly unreachable: number;
  readonly refuses: number;
  /** Accepted, but the answer is lost. */
  readonly answerLost: number;
};

/** Probabilities of faults of the model that is asked after a call. */
export type AnalysisFaults = {
  /** The server fails, and says so. */
  readonly fails: number;
  /** It takes longer than a try has. */
  readonly silent: number;
  /** Its answer is not what was asked for. */
  readonly wrong: number;
  /** It is in the process that asks, and answers at once. */
  readonly atOnce: boolean;
};

/** Probabilities of what the owner's address says before a dial; else it allows it. */
export type AddressFaults = {
  /** Never. */
  readonly refuses: number;
  readonly untilLater: number;
  /** It takes longer than it has. */
  readonly silent: number;
  /** It says what is no answer. */
  readonly lies: number;
  /** Whether the campaigns ask it, whatever the policy says. */
  readonly ofCampaign: boolean;
};

/** Everything that a run depends on: the same scenario takes the same course, byte for byte. */
export type Scenario = {
  readonly seed: number;
  /** Wall clock at the beginning, epoch milliseconds. */
  readonly startMillis: number;
  /** When the campaign starts by itself, epoch milliseconds; null: the user starts it. */
  readonly startAtMillis: number | null;
  readonly contacts: readonly ScenarioContact[];
  /** Of the same owner, over some of the same numbers, with the same settings; null: there is none. */
  readonly secondCampaign: {
    /** When it is created and started, after the start of the first. */
    readonly at: number;
    readonly contacts: readonly ScenarioContact[];
  } | null;
  readonly timezone: string;
  readonly window: CallWindow | null;
  readonly maxConcurrentCalls: number | null;
  readonly maxRetries: number;
  readonly retryIntervalMins: number;
  /** null: every reason that may be. */
  readonly retryOn: readonly EndReason[] | null;
  readonly retryPlan: readonly RetryPlanRow[] | null;
  readonly planConcurrentCalls: number;
  readonly planCallsPerSecond: number;
  /** Minutes of calls that can be paid at the beginning. */
  readonly paidCalls: number;
  readonly maxDurationSeconds: number;
  /** Whether the assistant hears who asks never to be called again. */
  readonly listens: boolean;
  /** Probability that whoever talks asks for it. */
  readonly optOuts: number;
  /** What the first assistant lets who is called agree; the other one nothing. null: neither does. */
  readonly callbacks: {
    readonly maxDays: number;
    readonly maxPerContact: number;
    /** Probability that whoever talks asks to be called again. */
    readonly asked: number;
  } | null;
  /** null: the assistants ask nothing after a call. */
  readonly analyses: AnalysisFaults | null;
  /** null: the owner has none. */
  readonly address: AddressFaults | null;
  readonly faults: CarrierFaults;
  /** Of the carrier behind the second connection; null: there is none. */
  readonly secondFaults: CarrierFaults | null;
  readonly actions: readonly ScenarioAction[];
  /** Gate positions at which the process dies; each counts from the restart before. */
  readonly crashes: readonly number[];
  /** How long a dead process stays away, one value for each death, the last one repeated. */
  readonly restartMillis: readonly number[];
  readonly processes: 1 | 2;
  /** Lease of two live processes; a single one never has to renew its leases. */
  readonly leaseMillis: number;
  /** From then on there are no faults. */
  readonly calmAt: number;
  /** null: webhooks are queued and not delivered, which is much faster. */
  readonly receiver: ReceiverFaults | null;
};

export const NO_FAULTS: CarrierFaults = {
  slowAccept: 0,
  replyLost: 0,
  requestLost: 0,
  refusedConnection: 0,
  callbackLost: 0,
  callbackTwice: 0,
  callbackLate: 0,
  silent: 0,
  hangUpUnknown: 0,
  lookupUnavailable: 0,
  throttled: 0,
  neverDialled: 0,
};
