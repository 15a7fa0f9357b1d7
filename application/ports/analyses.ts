import type { AnalysisId, AnalysisModel } from "../../domain/call/events.ts";
import type { OutcomeSettings } from "../../domain/outcome/settings.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { AssistantVersion } from "./directory.ts";

/** What is asked about a call and of whom: also answered when its assistant is deleted meanwhile. */
export type AnalysisSettings = Pick<AssistantVersion, "model" | "modelConnectionId" | "language"> & {
  readonly version: 1;
  readonly outcome: OutcomeSettings;
};

/** Stored once under the SHA-256 (hex) of their canonical JSON; rows are kept for ever. */
export interface StoredAnalysisSettings {
  /** Durable when it resolves. */
  store(settings: AnalysisSettings): Promise<string>;
  /** null: unknown. */
  read(sha256: string): Promise<AnalysisSettings | null>;
}

export type DueAnalysis = {
  readonly analysisId: AnalysisId;
  readonly callId: CallId;
  readonly owner: OwnerId;
  /** False: nobody has asked yet whether there is something to analyse; the wish is no event yet. */
  readonly wished: boolean;
  /** Tries begun before this one. */
  readonly tries: number;
  /** Tokens of the tries before; null: none was answered. */
  readonly used: AnalysisModel | null;
};

/**
 * The clock of analyses: when each wish is tried next. The log stands above it: a row that is lost is made
 * again from there, and one too many gives no second answer.
 */
export interface Analyses {
  /** Looked at from `at` on, or earlier if it was expected earlier. A wish that is known stays as it is. */
  expect(analysis: Pick<DueAnalysis, "analysisId" | "callId" | "owner">, at: Instant): Promise<void>;
  /** The wish is in the log, with `tries` begun: tried from `at` on. A wish that is known stays as it is. */
  wished(
    analysis: Pick<DueAnalysis, "analysisId" | "callId" | "owner" | "tries">,
    at: Instant,
  ): Promise<void>;
  /**
   * Begins a try of each of those that are due at `now`, at most `limit`: none of it is given to anybody
   * else until `until`. First of owners with the fewest in `underWay`, then those that wait longest; no wish
   * of the owners in `except`.
   */
  claim(claim: AnalysisClaim): Promise<readonly DueAnalysis[]>;
  /** The try was none: it is due at `at` again, with the tries that it had. */
  giveBack(analysis: DueAnalysis, at: Instant): Promise<void>;
  /** The try failed: the next one is due at `at`. `used`: of all tries. */
  failed(analysisId: AnalysisId, used: AnalysisModel | null, at: Instant): Promise<void>;
  /** Answered, or nobody wants it any more. */
  done(analysisId: AnalysisId): Promise<void>;
  /** When the next one is due, beside wishes of the owners in `except`; null: there is none. */
  nextDue(except: ReadonlySet<OwnerId>): Promise<Instant | null>;
}

export type AnalysisClaim = {
  readonly limit: number;
  readonly now: Instant;
  readonly until: Instant;
  /** How many of each owner this process tries at present. */
  readonly underWay: ReadonlyMap<OwnerId, number>;
  readonly except: ReadonlySet<OwnerId>;
};

/** Tokens that models used beside conversations (analyses, tests of them), by the day of their use. */
export interface AnalysisTokens {
  /** Adds them to the UTC day, for example `2026-09-01`. */
  add(
    owner: OwnerId,
    day: string,
    tokens: Pick<AnalysisModel, "inputTokens" | "outputTokens">,
  ): Promise<void>;
}
