import type { Policy, PolicyRule } from "../../domain/policy/policy.ts";
import type { CallId, CampaignId, ContactId, OwnerId, VerificationId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { Page, PageRequest } from "./queries/pages.ts";

/** Rules that a log can be held against. */
export type VerifiedRule = Exclude<PolicyRule, "eligibility_unavailable">;

/** A dial that broke a rule. */
export type Violation = {
  readonly rule: VerifiedRule;
  readonly at: Instant;
  readonly campaignId: CampaignId | null;
  readonly contactId: ContactId | null;
  readonly callId: CallId;
  readonly phoneNumber: PhoneNumber;
  /** What the rule finds and what it compares that with, as in the evidence of a dial; the live call's id. */
  readonly value: string | number | null;
  readonly limit: string | number | null;
  readonly event: { readonly stream: string; readonly revision: number; readonly at: Instant };
};

/**
 * Why a dial cannot be judged: it stored nothing of the rule; whether its person had a zone of its own is
 * sealed; it was judged by other data of zones.
 */
export type WhyUnverifiable = "no_evidence" | "zone_not_told" | "zone_data";

export type Unverifiable = {
  readonly rule: VerifiedRule;
  readonly why: WhyUnverifiable;
  readonly count: number;
};

/** What is asked: by which policy, and of which dials. */
export type VerificationRequest = {
  /** `current`: `judgedBy` is what it was when it was asked. */
  readonly asked: "in_force" | "current" | "given";
  /** null: `in_force`. */
  readonly judgedBy: Policy | null;
  /** Version of `current`, 0: there was no policy; null: another. */
  readonly version: number | null;
  readonly from: Instant | null;
  readonly until: Instant;
};

/** What it found, without the violations themselves. */
export type VerificationResult = {
  /** That were judged. */
  readonly dials: number;
  readonly count: number;
  readonly byRule: Readonly<Partial<Record<VerifiedRule, number>>>;
  readonly unverifiable: readonly Unverifiable[];
};

export type Verification = VerificationRequest & {
  readonly id: VerificationId;
  readonly owner: OwnerId;
  readonly status: "queued" | "running" | "done" | "failed";
  /** 0 to 1. */
  readonly progress: number;
  readonly dials: number;
  readonly result: VerificationResult | null;
  readonly problem: string | null;
  readonly createdAt: Instant;
  readonly completedAt: Instant | null;
};

/** `phoneNumber` null: it was erased. */
export type FoundViolation = Omit<Violation, "phoneNumber"> & { readonly phoneNumber: PhoneNumber | null };

/** One that a process works on. `begun`: how often that was tried, this time included. */
export type TakenVerification = Pick<Verification, "id" | "owner" | keyof VerificationRequest> & {
  readonly begun: number;
};

/** Verifications and what they found (work.verifications), kept for 30 days. Rejects as the database does. */
export interface Verifications {
  /** false: two of the owner are under way. */
  add(
    verification: Pick<Verification, "id" | "owner" | "createdAt" | keyof VerificationRequest>,
  ): Promise<boolean>;
  find(owner: OwnerId, id: VerificationId): Promise<Verification | null>;
  /** Newest first. */
  list(owner: OwnerId, page: PageRequest<VerificationId>): Promise<Page<Verification, VerificationId>>;
  /** In order of time; `after`: place in it, from 0. */
  violations(
    owner: OwnerId,
    id: VerificationId,
    page: PageRequest<number>,
  ): Promise<Page<FoundViolation, number>>;
  /** The oldest that nobody works on, for `ttlMillis`; without what another process had found. null: none. */
  take(holder: string, ttlMillis: number): Promise<TakenVerification | null>;
  /** Tells how far it is, and goes on holding it; false: another process has it. */
  hold(
    id: VerificationId,
    holder: string,
    ttlMillis: number,
    told: Pick<Verification, "progress" | "dials">,
  ): Promise<boolean>;
  /** Violations from that place on; the same again changes nothing. */
  addViolations(id: VerificationId, place: number, violations: readonly Violation[]): Promise<void>;
  /** Nothing, when another process has it. */
  finish(
    id: VerificationId,
    holder: string,
    ended: VerificationResult | { readonly problem: string },
  ): Promise<void>;
}

/** What the log has to be read for, beside everything else that a process does. */
export interface PolicyVerifier {
  /**
   * Reads the log of an owner in a thread of its own. `told` gets how far it is, `found` pieces of the
   * violations in order of time. Rejects VerifierFailed when that cannot succeed, with another error when it
   * may succeed later.
   */
  verify(task: VerifierTask, hears: VerifierHears, signal: AbortSignal): Promise<VerificationResult>;
}

export type VerifierTask = Pick<VerificationRequest, "judgedBy" | "from" | "until"> & {
  readonly owner: OwnerId;
};

export type VerifierHears = {
  readonly told: (told: Pick<Verification, "progress" | "dials">) => void;
  readonly found: (violations: readonly Violation[]) => void;
};

export class VerifierFailed extends Error {
  override readonly name = "VerifierFailed";
}
