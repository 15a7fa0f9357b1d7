import type { z } from "zod";
import type { Caller } from "../../application/outcome.ts";
import type { ErasureTarget } from "../../application/personal-data/erasing.ts";
import type { Erasure } from "../../application/ports/erasures.ts";
import { erasureRoutes } from "../../contract/erasure.ts";
import type { CallId, ErasureId } from "../../domain/shared/ids.ts";
import { data } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { ApiError, validationError } from "../errors.ts";
import { once } from "../idempotency.ts";
import { found, parseId, pathId, unknownId } from "../ids.ts";
import { readModelBehind } from "../positions.ts";
import { listed } from "../records.ts";
import { of } from "../route.ts";

const erasures = { list: "erasures", parse: (text: string) => parseId("ers", text) };
const MOST_CALLS_NAMED = 100;

/** docs/personal-data.md. */
export function registerPersonalData(api: Api, deps: ApiDeps): void {
  registerErasing(api, deps);
  registerReading(api, deps);
}

function registerErasing(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(erasureRoutes.eraseCallContent),
    handler: async (request) => {
      const callId = pathId("call", request.params.callId);
      if (!(await deps.erasing.isKnown(callerOf(request).owner, callId))) throw unknownId("call");
      return data(await erased(deps, callerOf(request), deps.ids.next("ers"), { kind: "call", callId }));
    },
  });
  api.route({
    ...of(erasureRoutes.erase),
    handler: (request, reply) =>
      once(deps, request, reply, {
        ids: { erasureId: deps.ids.next("ers") },
        make: async (made) => {
          const id = found("call", parseId("ers", String(made["erasureId"])));
          return {
            status: 201,
            body: data(await erased(deps, callerOf(request), id, targetOf(request.body))),
          };
        },
      }),
  });
}

function registerReading(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(erasureRoutes.listErasures),
    handler: (request) =>
      listed(erasures, request.query, async (page) => {
        const { rows, next } = await deps.erasing.list(callerOf(request).owner, page);
        return { rows: rows.map(shown), next };
      }),
  });
}

function targetOf({ callId, phoneNumber }: z.output<typeof erasureRoutes.erase.body>): ErasureTarget {
  if (phoneNumber !== undefined && phoneNumber !== null) return { kind: "phone_number", phoneNumber };
  const id = parseId("call", callId ?? "");
  if (id === null)
    throw validationError("The request body", [{ path: ["callId"], message: "Must be a call's id" }]);
  return { kind: "call", callId: id };
}

async function erased({ erasing }: ApiDeps, caller: Caller, id: ErasureId, target: ErasureTarget) {
  const made = await erasing.erase(caller, id, target);
  if (made.kind === "behind") throw readModelBehind();
  if (made.kind === "live") throw live(made.callIds);
  return shown(made.erasure);
}

function live(callIds: readonly CallId[]): ApiError {
  const details = callIds
    .slice(0, MOST_CALLS_NAMED)
    .map((callId) => ({ path: ["callIds"], message: callId }));
  return new ApiError("CALL_IS_LIVE", "Nothing was erased: calls among them have not ended", { details });
}

function shown({ owner: _owner, ...record }: Erasure) {
  return record;
}
