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
import { answer, jsonObject } from "../schema.ts";
import { memberInput } from "./inputs.ts";
import { type ItemNames, namedItem } from "./named-item.ts";
import { changeMemberBody, member, memberBody, memberDeleted, removeMemberBody } from "./schemas.ts";

const TAGS = ["squads"];
const MEMBERS = "/api/v1/squads/:id/members";
const MEMBER = `${MEMBERS}/:memberId`;
const querystring = z.object({ memberId: z.string().max(64).optional() });
const inPath = ["SQUAD_NOT_FOUND", "SQUAD_MEMBER_NOT_FOUND"] as const;
const inBody = [...inPath, "SQUAD_MEMBER_NOT_FOUND@400"] as const;

type Change = z.infer<typeof changeMemberBody>;

export function registerMembers(api: Api, deps: ApiDeps): void {
  registerAdding(api, deps);
  registerChanging(api, deps);
  registerRemoving(api, deps);
}

function registerAdding(api: Api, deps: ApiDeps): void {
  api.post(
    MEMBERS,
    {
      schema: {
        operationId: "addSquadMember",
        summary: "Adds an assistant to the squad",
        tags: TAGS,
        params: pathParams("id"),
        body: memberBody,
        response: { 201: answer(member) },
      },
      config: {
        scope: "squads:write",
        idempotent: true,
        errors: ["SQUAD_NOT_FOUND", "ASSISTANT_NOT_FOUND@400", "SQUAD_MEMBER_EXISTS", "SQUAD_LIMIT_REACHED"],
      },
    },
    (request, reply) =>
      once(deps, request, reply, {
        ids: { memberId: deps.ids.next("mbr") },
        make: async (made, reserved) => {
          const squadId = pathId("sqd", request.params.id);
          const reservedMemberId = reserved ? parseId("mbr", String(made["memberId"])) : null;
          const input = { ...memberInput(request.body), reservedMemberId };
          const added = await deps.useCases.addMember(callerOf(request), squadId, input);
          if (!added.ok) throw refusalError(added.refusal);
          await readYourOwnWrite(deps, reply, added.position);
          return { status: 201, body: data(await memberOf(deps, request, squadId, added.value.memberId)) };
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
    { memberId: _named, overrideSettings, ...rest }: Change,
  ) => {
    const squadId = pathId("sqd", squad);
    const { id, errorOf } = namedItem("mbr", "memberId", names);
    const override = overrideSettings === undefined ? {} : { overrideSettings: jsonObject(overrideSettings) };
    const changes = { ...given(rest), ...override };
    const changed = await deps.useCases.changeMember(callerOf(request), squadId, id, changes);
    if (!changed.ok) throw errorOf(changed.refusal);
    await readYourOwnWrite(deps, reply, changed.position);
    return data(await memberOf(deps, request, squadId, id));
  };
  const schema = { tags: TAGS, body: changeMemberBody, response: { 200: answer(member) } };
  api.patch(
    MEMBERS,
    {
      schema: {
        ...schema,
        operationId: "changeSquadMember",
        summary: "Changes the member named by memberId",
        params: pathParams("id"),
        querystring,
      },
      config: { scope: "squads:write", errors: inBody },
    },
    (request, reply) => {
      const { params, query, body } = request;
      return change(request, reply, params.id, { query: query.memberId, body: body.memberId }, body);
    },
  );
  api.patch(
    MEMBER,
    {
      schema: {
        ...schema,
        operationId: "changeSquadMemberById",
        summary: "Changes a member",
        params: pathParams("id", "memberId"),
      },
      config: { scope: "squads:write", errors: inPath },
    },
    (request, reply) => {
      const { params, body } = request;
      return change(request, reply, params.id, { path: params.memberId }, body);
    },
  );
}

function registerRemoving(api: Api, deps: ApiDeps): void {
  const remove = async (request: FastifyRequest, reply: FastifyReply, squad: string, names: ItemNames) => {
    const squadId = pathId("sqd", squad);
    const { id, errorOf } = namedItem("mbr", "memberId", names);
    const removed = await deps.useCases.removeMember(callerOf(request), squadId, id);
    if (!removed.ok) throw errorOf(removed.refusal);
    await readYourOwnWrite(deps, reply, removed.position);
    const { removedHandoffIds, newEntryMemberId } = removed.value;
    return data({ id, deleted: true as const, removedHandoffIds, newEntryMemberId });
  };
  const response = { 200: answer(memberDeleted) };
  api.delete(
    MEMBERS,
    {
      schema: {
        operationId: "removeSquadMember",
        summary: "Removes the member named by memberId, with its handoffs",
        tags: TAGS,
        params: pathParams("id"),
        querystring,
        body: removeMemberBody,
        response,
      },
      config: { scope: "squads:write", errors: inBody },
    },
    (request, reply) => {
      const { params, query, body } = request;
      return remove(request, reply, params.id, { query: query.memberId, body: body?.memberId });
    },
  );
  api.delete(
    MEMBER,
    {
      schema: {
        operationId: "removeSquadMemberById",
        summary: "Removes a member with its handoffs",
        tags: TAGS,
        params: pathParams("id", "memberId"),
        response,
      },
      config: { scope: "squads:write", errors: inPath },
    },
    (request, reply) => remove(request, reply, request.params.id, { path: request.params.memberId }),
  );
}

async function memberOf(
  { queries }: ApiDeps,
  request: FastifyRequest,
  squadId: Parameters<ApiDeps["queries"]["squadFromLog"]>[1],
  memberId: string,
) {
  const squad = await queries.squadFromLog(callerOf(request).owner, squadId);
  const record = squad?.members.find(({ id }) => id === memberId);
  if (record === undefined) throw unknownId("mbr");
  return record;
}
