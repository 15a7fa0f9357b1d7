import type { RehearsalBody } from "../../contract/rehearsal.ts";
import type { Lane, RehearsedCase, RunStatus } from "../../domain/rehearsal/rehearsal.ts";
import type {
  AssistantId,
  CallId,
  ConnectionId,
  OwnerId,
  RehearsalId,
  RunId,
  SquadId,
} from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { Page, PageRequest } from "./queries/pages.ts";
import type { FrozenLine, PlayedRun } from "./rehearsal-run.ts";

/** What is sealed with the key of the rehearsal: read by its runs, and gone when it is erased. */
export type RehearsalWords = {
  /** The request as it was given. */
  readonly given: RehearsalBody;
  readonly cases: readonly RehearsedCase[];
  readonly lines: { readonly candidate: FrozenLine; readonly baseline: FrozenLine | null };
};

export type NewRehearsal = {
  readonly id: RehearsalId;
  readonly owner: OwnerId;
  readonly name: string;
  readonly assistantId: AssistantId | null;
  readonly squadId: SquadId | null;
  readonly version: "draft" | "published" | number;
  readonly baseline: boolean;
  readonly repeat: number;
  readonly maxTokens: number;
  /** SHA-256 of the candidate's line, in hex. */
  readonly draftHash: string;
  /** Calls whose erasure empties it: callers and origins of its cases. */
  readonly callIds: readonly CallId[];
  /** Models of its speakers; null: the installation's. */
  readonly connectionIds: readonly (ConnectionId | null)[];
  readonly actor: string;
  readonly createdAt: Instant;
  readonly words: RehearsalWords;
  readonly runs: readonly {
    readonly runId: RunId;
    readonly caseIndex: number;
    readonly lane: Lane;
    readonly n: number;
  }[];
};

export type EndedBecause = "finished" | "cancelled" | "max_tokens" | "plan_tokens" | "erased";

export type RunCounts = Readonly<Record<RunStatus, number>>;

export type Rehearsal = Omit<NewRehearsal, "words" | "runs" | "connectionIds"> & {
  readonly status: "running" | "done" | "cancelled";
  readonly waitingFor: "tokens" | null;
  /** null: it goes on. */
  readonly endedBecause: EndedBecause | null;
  readonly counts: RunCounts;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly endedAt: Instant | null;
  readonly erased: boolean;
  /** By case and lane, in the order of the cases; names are null when it is erased. */
  readonly byCase: readonly {
    readonly caseIndex: number;
    readonly name: string | null;
    readonly lane: Lane;
    readonly passAt: number;
    readonly counts: RunCounts;
  }[];
};

/** As a list shows it. */
export type RehearsalRun = {
  readonly runId: RunId;
  readonly caseIndex: number;
  /** null: erased. */
  readonly caseName: string | null;
  readonly lane: Lane;
  readonly n: number;
  readonly status: RunStatus;
  /** null: it has not ended, or is erased. */
  readonly played: Omit<PlayedRun, "messages"> | null;
  readonly startedAt: Instant | null;
  readonly endedAt: Instant | null;
};

/** With what was said; `played` as in the list. */
export type PlayedRehearsalRun = RehearsalRun & { readonly messages: PlayedRun["messages"] };

export type BegunRehearsal =
  | { readonly kind: "begun"; readonly rehearsal: Rehearsal }
  /** 20 of the owner have not ended. */
  | { readonly kind: "too_many" }
  /** These calls of its were erased before it was stored. */
  | { readonly kind: "erased"; readonly callIds: readonly CallId[] };

export type RunFilter = {
  readonly caseIndex: number | null;
  readonly lane: Lane | null;
  readonly status: RunStatus | null;
};

/** A run that this process has to play. */
export type TakenRun = {
  readonly rehearsalId: RehearsalId;
  readonly owner: OwnerId;
  readonly runId: RunId;
  readonly lane: Lane;
  readonly n: number;
  readonly caseIndex: number;
  /** How often it was begun, with this time. */
  readonly begun: number;
  readonly connectionIds: readonly (ConnectionId | null)[];
  /** null: its key is gone, so it is erased. */
  readonly words: { readonly case: RehearsedCase; readonly line: FrozenLine } | null;
};

export type HeldRun = Pick<TakenRun, "runId" | "rehearsalId" | "owner">;

export type UsedTokens = Pick<PlayedRun, "inputTokens" | "outputTokens">;

export type TakeLimits = {
  readonly holder: string;
  readonly ttlMillis: number;
  /** Of one owner at once, over all processes. */
  readonly mostOfOwner: number;
  /** Owners and connections whose runs wait now. */
  readonly notOwners: readonly OwnerId[];
  readonly notConnections: readonly (ConnectionId | null)[];
};

/**
 * Rehearsals (work.rehearsals) and their runs (work.rehearsal_runs). Everything but `take` and what follows
 * it is scoped to the owner. Rejects as the database does.
 */
export interface Rehearsals {
  /** The same id again: the one that stands. */
  begin(rehearsal: NewRehearsal): Promise<BegunRehearsal>;
  find(owner: OwnerId, id: RehearsalId): Promise<Rehearsal | null>;
  /** The request as it was given; null: erased. */
  given(owner: OwnerId, id: RehearsalId): Promise<RehearsalBody | null>;
  /** Newest first. */
  list(owner: OwnerId, page: PageRequest<RehearsalId>): Promise<Page<Rehearsal, RehearsalId>>;
  /** Ordered by case, lane (candidate first) and n; `after`: place in this order, from 0. */
  runs(
    owner: OwnerId,
    id: RehearsalId,
    filter: RunFilter,
    page: PageRequest<number>,
  ): Promise<Page<RehearsalRun, number>>;
  run(owner: OwnerId, id: RehearsalId, runId: RunId): Promise<PlayedRehearsalRun | null>;
  /** What has ended stays as it is. null: unknown. */
  cancel(owner: OwnerId, id: RehearsalId, because: EndedBecause): Promise<Rehearsal | null>;
  /** With all its runs and its key; cancels first. false: unknown. */
  delete(owner: OwnerId, id: RehearsalId): Promise<boolean>;

  /** The oldest run that waits, or whose holder's time is over; fairly among owners. null: none. */
  take(limits: TakeLimits): Promise<TakenRun | null>;
  /** false: another process has it, or it was cancelled. */
  hold(runId: RunId, holder: string, ttlMillis: number): Promise<boolean>;
  /** The run waits again, as if it had not been begun; the tokens count. */
  giveBack(run: HeldRun, holder: string, used: UsedTokens): Promise<void>;
  /**
   * Stores the result once, and ends the rehearsal with its last run or beyond maxTokens; nothing of that
   * when another process has the run, or it was cancelled. Its tokens count in any case.
   */
  finish(run: HeldRun, holder: string, played: PlayedRun): Promise<void>;
  /** Whether rehearsals of this owner wait for tokens of the plan; those that have for 24 h are cancelled. */
  waitForTokens(owner: OwnerId, waiting: boolean, now: Instant): Promise<void>;
}
