import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { data, given, pathParams } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { refusalError } from "../errors.ts";
import { once } from "../idempotency.ts";
import { parseId, pathId, unknownId } from "../ids.ts";
import { readYourOwnWrite } from "../positions.ts";
import { answer } from "../schema.ts";
import { atNamedEnds, handoffInput } from "./inputs.ts";
import { type ItemNames, namedItem } from "./named-item.ts";
import { changeHandoffBody, deleted, handoff, handoffBody, removeHandoffBody } from "./schemas.ts";

const TAGS = ["squads"];
const HANDOFFS = "/api/v1/squads/:id/handoffs";
const HANDOFF = `${HANDOFFS}/:handoffId`;
const querystring = z.object({ handoffId: z.string().max(64).optional() });
const inPath = ["SQUAD_NOT_FOUND", "HANDOFF_NOT_FOUND"] as const;
const inBody = [...inPath, "HANDOFF_NOT_FOUND@400"] as const;

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
          return { status: 201, body: data(await handoffOf(deps, request, squadId, added.value.handoffId)) };
        },
      }),
  );
}

function registerChanging(api: Api, deps: ApiDeps): void {
  const change = async (
    request: FastifyRequest,
    reply: FastifyReply,
    squad: string,
    names: ItemNames,
    { handoffId: _named, ...changes }: Change,
  ) => {
    const squadId = pathId("sqd", squad);
    const { id, errorOf } = namedItem("hnd", "handoffId", names);
    const changed = await deps.useCases.changeHandoff(callerOf(request), squadId, id, given(changes));
    if (!changed.ok) throw errorOf(changed.refusal);
    await readYourOwnWrite(deps, reply, changed.position);
    return data(await handoffOf(deps, request, squadId, id));
  };
  const schema = { tags: TAGS, body: changeHandoffBody, response: { 200: answer(handoff) } };
  api.patch(
    HANDOFFS,
    {
      schema: {
        ...schema,
        operationId: "changeHandoff",
        summary: "Changes the handoff named by handoffId",
        params: pathParams("id"),
        querystring,
      },
      config: { scope: "squads:write", errors: inBody },
    },
    (request, reply) => {
      const { params, query, body } = request;
      return change(request, reply, params.id, { query: query.handoffId, body: body.handoffId }, body);
    },
  );
  api.patch(
    HANDOFF,
    {
      schema: {
        ...schema,
        operationId: "changeHandoffById",
        summary: "Changes a handoff",
        params: pathParams("id", "handoffId"),
      },
      config: { scope: "squads:write", errors: inPath },
    },
    (request, reply) => {
      const { params, body } = request;
      return change(request, reply, params.id, { path: params.handoffId }, body);
    },
  );
}

function registerRemoving(api: Api, deps: ApiDeps): void {
  const remove = async (request: FastifyRequest, reply: FastifyReply, squad: string, names: ItemNames) => {
    const squadId = pathId("sqd", squad);
    const { id, errorOf } = namedItem("hnd", "handoffId", names);
    const removed = await deps.useCases.removeHandoff(callerOf(request), squadId, id);
    if (!removed.ok) throw errorOf(removed.refusal);
    await readYourOwnWrite(deps, reply, removed.position);
    return data({ id, deleted: true as const });
  };
  const response = { 200: answer(deleted) };
  api.delete(
    HANDOFFS,
    {
      schema: {
        operationId: "removeHandoff",
        summary: "Removes the handoff named by handoffId",
        tags: TAGS,
        params: pathParams("id"),
        querystring,
        body: removeHandoffBody,
        response,
      },
      config: { scope: "squads:write", errors: inBody },
    },
    (request, reply) => {
      const { params, query, body } = request;
      return remove(request, reply, params.id, { query: query.handoffId, body: body?.handoffId });
    },
  );
  api.delete(
    HANDOFF,
    {
      schema: {
        operationId: "removeHandoffById",
        summary: "Removes a handoff",
        tags: TAGS,
        params: pathParams("id", "handoffId"),
        response,
      },
      config: { scope: "squads:write", errors: inPath },
    },
    (request, reply) => remove(request, reply, request.params.id, { path: request.params.handoffId }),
  );
}

async function handoffOf(
  { queries }: ApiDeps,
  request: FastifyRequest,
  squadId: Parameters<ApiDeps["queries"]["squadFromLog"]>[1],
  handoffId: string,
) {
  const squad = await queries.squadFromLog(callerOf(request).owner, squadId);
  const record = squad?.handoffs.find(({ id }) => id === handoffId);
  if (record === undefined) throw unknownId("hnd");
  return record;
}
