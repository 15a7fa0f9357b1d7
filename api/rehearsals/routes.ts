import type { Rehearsal } from "../../application/ports/rehearsals.ts";
import type { RehearsalBody, RehearsalRecord } from "../../contract/rehearsal.ts";
import { rehearsalRoutes as routes } from "../../contract/rehearsal.ts";
import { allows } from "../../contract/scopes.ts";
import type { OwnerId, RehearsalId } from "../../domain/shared/ids.ts";
import { data } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { ApiError, refusalError } from "../errors.ts";
import { once } from "../idempotency.ts";
import { found, parseId, pathId } from "../ids.ts";
import { parseWhole } from "../pagination.ts";
import { deleted, listed } from "../records.ts";
import { of } from "../route.ts";
import { runOf, runSummaryOf, summaryOf } from "./answers.ts";

const rehearsals = { list: "rehearsals", parse: (text: string) => parseId("rhl", text) };
const runs = { list: "runs", parse: parseWhole };

/** docs/api.md §23. */
export function registerRehearsals(api: Api, deps: ApiDeps): void {
  registerBeginning(api, deps);
  registerReading(api, deps);
  registerRuns(api, deps);
  registerEnding(api, deps);
}

function registerBeginning(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(routes.createRehearsal),
    handler: (request, reply) =>
      once(deps, request, reply, {
        ids: { rehearsalId: deps.ids.next("rhl") },
        make: async (ids, reserved) => {
          const caller = callerOf(request);
          const { body } = request;
          if (namesACall(body)) mayReadCalls(caller);
          const id = found("rhl", parseId("rhl", String(ids["rehearsalId"])));
          const stands = reserved ? await deps.rehearsals.find(caller.owner, id) : null;
          const begun =
            stands === null
              ? await deps.beginRehearsal(caller, { id, body })
              : ({ ok: true, value: stands } as const);
          if (!begun.ok) throw refusalError(begun.refusal);
          return { status: 202, body: data(recordOf(begun.value, body)) };
        },
      }),
  });
}

type Asking = ReturnType<typeof callerOf>;

/** What was said on calls is for those who may read them, in a rehearsal too. */
function mayReadCalls({ scopes }: Asking): void {
  if (!allows(scopes, "calls:read"))
    throw new ApiError("FORBIDDEN", "A case names a call, and the API key lacks the scope calls:read");
}

function namesACall({ cases }: RehearsalBody): boolean {
  return cases.some(({ caller, fromCallId }) => "callId" in caller || Boolean(fromCallId));
}

function registerReading(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(routes.listRehearsals),
    handler: (request) =>
      listed(rehearsals, request.query, async (page) => {
        const { rows, next } = await deps.rehearsals.list(callerOf(request).owner, page);
        return { rows: rows.map(summaryOf), next };
      }),
  });
  api.route({
    ...of(routes.getRehearsal),
    handler: async (request) => {
      const { owner } = callerOf(request);
      const id = pathId("rhl", request.params.id);
      return data(await shownRecord(deps, owner, found("rhl", await deps.rehearsals.find(owner, id))));
    },
  });
}

async function shownRecord(
  deps: Pick<ApiDeps, "rehearsals">,
  owner: OwnerId,
  rehearsal: Rehearsal,
): Promise<RehearsalRecord> {
  return recordOf(rehearsal, await deps.rehearsals.given(owner, rehearsal.id));
}

/** `given` null: erased. */
function recordOf(rehearsal: Rehearsal, given: RehearsalBody | null): RehearsalRecord {
  return {
    ...summaryOf(rehearsal),
    cases: given?.cases ?? null,
    passAt: given?.passAt ?? null,
    expect: given === null ? null : (given.expect ?? []),
  };
}

function registerRuns(api: Api, deps: ApiDeps): void {
  const readable = async (caller: Asking, id: RehearsalId): Promise<Rehearsal> => {
    const rehearsal = found("rhl", await deps.rehearsals.find(caller.owner, id));
    if (rehearsal.callIds.length > 0) mayReadCalls(caller);
    return rehearsal;
  };
  api.route({
    ...of(routes.listRuns),
    handler: async (request) => {
      const { owner } = callerOf(request);
      const id = pathId("rhl", request.params.id);
      const { byCase } = await readable(callerOf(request), id);
      const { case: name, lane = null, status = null } = request.query;
      const caseIndex = byCase.find((each) => each.name === name)?.caseIndex ?? null;
      return listed(runs, request.query, async (page) => {
        if (name !== undefined && caseIndex === null) return { rows: [], next: null };
        const { rows, next } = await deps.rehearsals.runs(owner, id, { caseIndex, lane, status }, page);
        return { rows: rows.map(runSummaryOf), next };
      });
    },
  });
  api.route({
    ...of(routes.getRun),
    handler: async (request) => {
      const { owner } = callerOf(request);
      const id = pathId("rhl", request.params.id);
      await readable(callerOf(request), id);
      const runId = pathId("run", request.params.runId);
      return data(runOf(found("run", await deps.rehearsals.run(owner, id, runId))));
    },
  });
}

function registerEnding(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(routes.cancelRehearsal),
    handler: async (request) => {
      const { owner } = callerOf(request);
      const id = pathId("rhl", request.params.id);
      const cancelled = found("rhl", await deps.rehearsals.cancel(owner, id, "cancelled"));
      return data(await shownRecord(deps, owner, cancelled));
    },
  });
  api.route({
    ...of(routes.deleteRehearsal),
    handler: (request, reply) =>
      deleted(deps, reply, "rhl", request.params.id, (id) =>
        deps.rehearsals.delete(callerOf(request).owner, id),
      ),
  });
}
