import type { FastifyReply } from "fastify";
import { z } from "zod";
import type { Caller } from "../../application/outcome.ts";
import { answer } from "../../contract/fields.ts";
import { data, given, pathParams } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { refusalError } from "../errors.ts";
import { once } from "../idempotency.ts";
import { parseId, pathId, unknownId } from "../ids.ts";
import { readYourOwnWrite } from "../positions.ts";
import { atNamedEnds, handoffInput } from "./inputs.ts";
import { changeHandoffBody, deleted, handoff, handoffBody, removeHandoffBody } from "./schemas.ts";
import { type AboutPart, aboutPart, squadPart, TAGS } from "./squad-part.ts";

const HANDOFFS = "/api/v1/squads/:id/handoffs";
const HANDOFF = `${HANDOFFS}/:handoffId`;
const querystring = z.object({ handoffId: z.string().max(64).optional() });
const part = squadPart("hnd", "handoffId");

type Change = z.infer<typeof changeHandoffBody>;

export function registerHandoffs(api: Api, deps: ApiDeps): void {
  registerAdding(api, deps);
  registerChanging(api, deps);
  registerRemoving(api, deps);
}

function registerAdding(api: Api, deps: ApiDeps): void {
  api.post(
    HANDOFFS,
    {
      schema: {
        operationId: "addHandoff",
        summary: "Links two members",
        tags: TAGS,
        params: pathParams("id"),
        body: handoffBody,
        response: { 201: answer(handoff) },
      },
      config: {
        scope: "squads:write",
        idempotent: true,
        errors: ["SQUAD_NOT_FOUND", "HANDOFF_EXISTS", "SQUAD_LIMIT_REACHED"],
      },
    },
    (request, reply) =>
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
  );
}

function registerChanging(api: Api, deps: ApiDeps): void {
  const change = async (reply: FastifyReply, about: AboutPart, { handoffId: _named, ...rest }: Change) => {
    const changes = given(rest);
    const { squadId, id } = await part.write(deps, reply, about, (squad, handoffId) =>
      deps.useCases.changeHandoff(about.caller, squad, handoffId, changes),
    );
    return data(await handoffOf(deps, about.caller, squadId, id));
  };
  const schema = { body: changeHandoffBody, response: { 200: answer(handoff) } };
  const named = { operationId: "changeHandoff", summary: "Changes the handoff named by handoffId" };
  api.patch(
    HANDOFFS,
    { schema: { ...part.named.schema, querystring, ...schema, ...named }, config: part.named.config },
    (request, reply) => {
      const { query, body } = request;
      return change(reply, aboutPart(request, { query: query.handoffId, body: body.handoffId }), body);
    },
  );
  const byId = { operationId: "changeHandoffById", summary: "Changes a handoff" };
  api.patch(
    HANDOFF,
    { schema: { ...part.inPath.schema, ...schema, ...byId }, config: part.inPath.config },
    (request, reply) => change(reply, aboutPart(request, { path: request.params.handoffId }), request.body),
  );
}

function registerRemoving(api: Api, deps: ApiDeps): void {
  const remove = async (reply: FastifyReply, about: AboutPart) => {
    const { id } = await part.write(deps, reply, about, (squadId, handoffId) =>
      deps.useCases.removeHandoff(about.caller, squadId, handoffId),
    );
    return data({ id, deleted: true as const });
  };
  const response = { 200: answer(deleted) };
  const named = { operationId: "removeHandoff", summary: "Removes the handoff named by handoffId" };
  api.delete(
    HANDOFFS,
    {
      schema: { ...part.named.schema, querystring, body: removeHandoffBody, response, ...named },
      config: part.named.config,
    },
    (request, reply) =>
      remove(reply, aboutPart(request, { query: request.query.handoffId, body: request.body?.handoffId })),
  );
  const byId = { operationId: "removeHandoffById", summary: "Removes a handoff" };
  api.delete(
    HANDOFF,
    { schema: { ...part.inPath.schema, response, ...byId }, config: part.inPath.config },
    (request, reply) => remove(reply, aboutPart(request, { path: request.params.handoffId })),
  );
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
