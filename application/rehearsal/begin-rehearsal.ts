import type { RehearsalBody } from "../../contract/rehearsal.ts";
import type { Lane } from "../../domain/rehearsal/rehearsal.ts";
import type { CallId, RehearsalId } from "../../domain/shared/ids.ts";
import type { Aggregates } from "../log/aggregates.ts";
import { type ModelTokensDeps, modelTokensUsedUp } from "../model-tokens.ts";
import { type Caller, type Refusal, refused } from "../outcome.ts";
import { isCallId } from "../parse-id.ts";
import type { Ids } from "../ports/ids.ts";
import type { LineSnapshots } from "../ports/line-snapshots.ts";
import type { NewRehearsal, Rehearsal, Rehearsals, RehearsalWords } from "../ports/rehearsals.ts";
import { unknownNames } from "./check-cases.ts";
import { freezeLines } from "./freeze-lines.ts";
import { type ReadCasesDeps, readCases } from "./read-cases.ts";

export type BeginRehearsalDeps = ReadCasesDeps &
  ModelTokensDeps & {
    readonly aggregates: Pick<Aggregates, "calls" | "squads">;
    readonly snapshots: LineSnapshots;
    readonly rehearsals: Pick<Rehearsals, "begin">;
    readonly ids: Pick<Ids, "next">;
  };

/** `id`: the same one again is the same rehearsal. */
export type AskedRehearsal = {
  readonly id: RehearsalId;
  readonly body: RehearsalBody;
};

export type RehearsalAnswer =
  | { readonly ok: true; readonly value: Rehearsal }
  | { readonly ok: false; readonly refusal: Refusal };

/** POST /rehearsals (docs/api.md §23). Past calls and everything that is spoken with are read now, once. */
export async function beginRehearsal(
  deps: BeginRehearsalDeps,
  caller: Caller,
  { id, body }: AskedRehearsal,
): Promise<RehearsalAnswer> {
  const { owner } = caller;
  const { assistantId = null, squadId = null, version, baseline } = body;
  const frozen = await freezeLines(deps, owner, { assistantId, squadId, version, baseline });
  if (!frozen.ok) return frozen;
  const { lines, draftHash } = frozen.value;
  const unknown = unknownNames(body, lines);
  if (unknown.length > 0) return refused("VALIDATION_ERROR", "The request body has problems", unknown);
  if (await modelTokensUsedUp(deps, owner))
    return refused("INSUFFICIENT_CREDITS", "The plan's tokens of language models for this day are used up");
  const createdAt = deps.clock.now();
  const read = await readCases(deps, owner, body, createdAt);
  if (!read.ok) return read;
  const begun = await deps.rehearsals.begin({
    ...{ id, owner, draftHash, createdAt, actor: caller.actor },
    ...{ name: body.name, version, baseline, repeat: body.repeat, maxTokens: body.maxTokens },
    ...lineIds(lines),
    callIds: callIdsOf(body.cases),
    words: { given: body, cases: read.value, lines },
    runs: runsOf(deps.ids, body),
  });
  if (begun.kind === "begun") return { ok: true, value: begun.rehearsal };
  if (begun.kind === "erased")
    return refused("CONTENT_ERASED", "What was said on a call that a case names was erased");
  return refused(
    "CONCURRENCY_LIMIT_REACHED",
    "20 rehearsals are under way; begin another one when one of them has ended",
  );
}

/** Of the assistant that is rehearsed, or the squad; and every model that may be asked. */
function lineIds({
  candidate,
  baseline,
}: RehearsalWords["lines"]): Pick<NewRehearsal, "assistantId" | "squadId" | "connectionIds"> {
  const { squadId, speakers } = candidate.conversation;
  const all = [...speakers, ...(baseline?.conversation.speakers ?? [])];
  return {
    assistantId: squadId === null ? (speakers[0]?.assistantId ?? null) : null,
    squadId,
    connectionIds: [...new Set(all.map(({ modelConnectionId }) => modelConnectionId))],
  };
}

/** Ordered by case, lane and repeat. */
function runsOf(ids: Pick<Ids, "next">, { cases, repeat, baseline }: RehearsalBody): NewRehearsal["runs"] {
  const lanes: readonly Lane[] = baseline ? ["candidate", "baseline"] : ["candidate"];
  const repeats = Array.from({ length: repeat }, (_each, index) => index + 1);
  return cases.flatMap((_case, caseIndex) =>
    lanes.flatMap((lane) => repeats.map((n) => ({ runId: ids.next("run"), caseIndex, lane, n }))),
  );
}

/** Callers and origins, each once; those that are no calls of the owner were refused before. */
function callIdsOf(cases: RehearsalBody["cases"]): readonly CallId[] {
  const named = cases.flatMap(({ caller, fromCallId }) => [
    ...("callId" in caller ? [caller.callId] : []),
    ...(fromCallId ? [fromCallId] : []),
  ]);
  return [...new Set(named.filter(isCallId))];
}
