import type { PlayedRun } from "../../application/ports/rehearsal-run.ts";
import type {
  EndedBecause,
  PlayedRehearsalRun,
  Rehearsal,
  RehearsalRun,
  RunCounts,
} from "../../application/ports/rehearsals.ts";
import type { SubjectKey } from "../../application/ports/subject-keys.ts";
import type { Lane, RunStatus } from "../../domain/rehearsal/rehearsal.ts";
import type {
  AssistantId,
  CallId,
  ConnectionId,
  OwnerId,
  RehearsalId,
  RunId,
  SquadId,
} from "../../domain/shared/ids.ts";
import { type Instant, instantFromMillis } from "../../domain/shared/instant.ts";
import { openWords } from "./sealed-words.ts";

/** The installation's own connection has no id; `&&` of PostgreSQL finds no nulls. */
export const connectionColumn = (id: ConnectionId | null): string => id ?? "";
export const connectionOf = (column: ConnectionId | ""): ConnectionId | null =>
  column === "" ? null : column;

export const SELECT = `select r.id, r.owner_id, r.name, r.assistant_id, r.squad_id, r.version, r.baseline, r.repeat,
  r.max_tokens, r.draft_hash, r.call_ids, r.actor, r.sealed_names, r.status, r.ended_because, r.waits_since,
  r.input_tokens::float8, r.output_tokens::float8, r.erased, r.created_at, r.ended_at,
  (select json_agg(pass_at order by case_index) from work.rehearsal_cases where rehearsal_id = r.id) as pass_at,
  (select json_agg(counted) from (
    select case_index as "caseIndex", lane, status, count(*)::integer as runs from work.rehearsal_runs
    where rehearsal_id = r.id group by case_index, lane, status) counted) as counts
  from work.rehearsals r`;

export type RehearsalRow = {
  readonly id: RehearsalId;
  readonly owner_id: OwnerId;
  readonly name: string;
  readonly assistant_id: AssistantId | null;
  readonly squad_id: SquadId | null;
  readonly version: string;
  readonly baseline: boolean;
  readonly repeat: number;
  readonly max_tokens: number;
  readonly draft_hash: string;
  readonly call_ids: readonly CallId[];
  readonly actor: string;
  readonly sealed_names: string | null;
  readonly status: Rehearsal["status"];
  readonly ended_because: EndedBecause | null;
  readonly waits_since: Date | null;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly erased: boolean;
  readonly created_at: Date;
  readonly ended_at: Date | null;
  readonly pass_at: readonly number[] | null;
  readonly counts: readonly Counted[] | null;
};

type Counted = {
  readonly caseIndex: number;
  readonly lane: Lane;
  readonly status: RunStatus;
  readonly runs: number;
};

export function rehearsalOf(row: RehearsalRow, key: SubjectKey | undefined): Rehearsal {
  const names = openWords<readonly string[]>(key, row.id, "names", row.sealed_names);
  const counts = row.counts ?? [];
  const lanes: readonly Lane[] = row.baseline ? ["candidate", "baseline"] : ["candidate"];
  return {
    id: row.id,
    owner: row.owner_id,
    name: row.name,
    assistantId: row.assistant_id,
    squadId: row.squad_id,
    version: row.version === "draft" || row.version === "published" ? row.version : Number(row.version),
    baseline: row.baseline,
    repeat: row.repeat,
    maxTokens: row.max_tokens,
    draftHash: row.draft_hash,
    callIds: row.call_ids,
    actor: row.actor,
    status: row.status,
    waitingFor: row.status === "running" && row.waits_since !== null ? "tokens" : null,
    endedBecause: row.ended_because,
    counts: countsOf(counts),
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    createdAt: instantOf(row.created_at),
    endedAt: row.ended_at === null ? null : instantOf(row.ended_at),
    erased: row.erased || names === null,
    byCase: (row.pass_at ?? []).flatMap((passAt, caseIndex) =>
      lanes.map((lane) => ({
        caseIndex,
        name: names?.[caseIndex] ?? null,
        lane,
        passAt,
        counts: countsOf(counts.filter((each) => each.caseIndex === caseIndex && each.lane === lane)),
      })),
    ),
  };
}

function countsOf(counted: readonly Counted[]): RunCounts {
  const of = (status: RunStatus) =>
    counted.reduce((sum, each) => sum + (each.status === status ? each.runs : 0), 0);
  return {
    waiting: of("waiting"),
    running: of("running"),
    passed: of("passed"),
    failed: of("failed"),
    error: of("error"),
    cancelled: of("cancelled"),
  };
}

export const RUN_COLUMNS = `run.id, run.rehearsal_id, run.place, run.case_index, run.lane, run.n, run.status,
  run.started_at, run.ended_at, run.sealed_result, r.sealed_names`;

export type RunRow = {
  readonly id: RunId;
  readonly rehearsal_id: RehearsalId;
  readonly place: number;
  readonly case_index: number;
  readonly lane: Lane;
  readonly n: number;
  readonly status: RunStatus;
  readonly started_at: Date | null;
  readonly ended_at: Date | null;
  readonly sealed_result: string | null;
  readonly sealed_names: string | null;
};

export function runOf(row: RunRow, key: SubjectKey | undefined): RehearsalRun {
  const { rehearsal_id: id, case_index: caseIndex } = row;
  const names = openWords<readonly string[]>(key, id, "names", row.sealed_names);
  return {
    runId: row.id,
    caseIndex,
    caseName: names?.[caseIndex] ?? null,
    lane: row.lane,
    n: row.n,
    status: row.status,
    played: openWords(key, id, `result ${row.id}`, row.sealed_result),
    startedAt: row.started_at === null ? null : instantOf(row.started_at),
    endedAt: row.ended_at === null ? null : instantOf(row.ended_at),
  };
}

export function playedRunOf(
  row: RunRow & { readonly sealed_messages: string | null },
  key: SubjectKey | undefined,
): PlayedRehearsalRun {
  const place = `messages ${row.id}`;
  const messages = openWords<PlayedRun["messages"]>(key, row.rehearsal_id, place, row.sealed_messages);
  return { ...runOf(row, key), messages: messages ?? [] };
}

const instantOf = (date: Date): Instant => instantFromMillis(date.getTime());
