import type { FastifyReply } from "fastify";
import type { Caller } from "../../application/outcome.ts";
import { type HandoffChanges, handoffRoutes } from "../../contract/handoff.ts";
import { data, given } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { refusalError } from "../errors.ts";
import { once } from "../idempotency.ts";
import { parseId, pathId, unknownId } from "../ids.ts";
import { readYourOwnWrite } from "../positions.ts";
import { of } from "../route.ts";
import { atNamedEnds, handoffInput } from "./inputs.ts";
import { type AboutPart, aboutPart, writePart } from "./squad-part.ts";

const PART = { prefix: "hnd", field: "handoffId" } as const;

export function registerHandoffs(api: Api, deps: ApiDeps): void {
  registerAdding(api, deps);
  registerChanging(api, deps);
  registerRemoving(api, deps);
}

function registerAdding(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(handoffRoutes.addHandoff),
    handler: (request, reply) =>
      once(deps, request, reply, {
        ids: { handoffId: deps.ids.next("hnd") },
        make: async (made, reserved) => {
          const squadId = pathId("sqd", request.params.id);
          const reservedHandoffId = reserved ? parseId("hnd", String(made["handoffId"])) : null;
          const input = { ...handoffInput(request.body), reservedHandoffId };
          const added = await deps.useCases.addHandoff(callerOf(request), squadId, input);
          if (!added.ok) throw refusalError(atNamedEnds(added.refusal, request.body));
          await readYourOwnWrite(deps, reply, added.position);
          return {
            status: 201,
            body: data(await handoffOf(deps, callerOf(request), squadId, added.value.handoffId)),
          };
        },
      }),
  });
}

function registerChanging(api: Api, deps: ApiDeps): void {
  const change = async (
    reply: FastifyReply,
    about: AboutPart,
    { handoffId: _named, ...rest }: HandoffChanges,
  ) => {
    const changes = given(rest);
    const { squadId, id } = await writePart(deps, reply, about, PART, (squad, handoffId) =>
      deps.useCases.changeHandoff(about.caller, squad, handoffId, changes),
    );
    return data(await handoffOf(deps, about.caller, squadId, id));
  };
  api.route({
    ...of(handoffRoutes.changeHandoff),
    handler: async (request, reply) => {
      const { query, body } = request;
      return change(reply, aboutPart(request, { query: query.handoffId, body: body.handoffId }), body);
    },
  });
  api.route({
    ...of(handoffRoutes.changeHandoffById),
    handler: async (request, reply) =>
      change(reply, aboutPart(request, { path: request.params.handoffId }), request.body),
  });
}

function registerRemoving(api: Api, deps: ApiDeps): void {
  const remove = async (reply: FastifyReply, about: AboutPart) => {
    const { id } = await writePart(deps, reply, about, PART, (squadId, handoffId) =>
      deps.useCases.removeHandoff(about.caller, squadId, handoffId),
    );
    return data({ id, deleted: true as const });
  };
  api.route({
    ...of(handoffRoutes.removeHandoff),
    handler: async (request, reply) =>
      remove(reply, aboutPart(request, { query: request.query.handoffId, body: request.body?.handoffId })),
  });
  api.route({
    ...of(handoffRoutes.removeHandoffById),
    handler: async (request, reply) => remove(reply, aboutPart(request, { path: request.params.handoffId })),
  });
}

async function handoffOf(
  { queries }: ApiDeps,
  caller: Caller,
  squadId: Parameters<ApiDeps["queries"]["squadFromLog"]>[1],
  handoffId: string,
) {
  const squad = await queries.squadFromLog(caller.owner, squadId);
  const record = squad?.handoffs.find(({ id }) => id === handoffId);
  if (record === undefined) throw unknownId("hnd");
  return record;
}
