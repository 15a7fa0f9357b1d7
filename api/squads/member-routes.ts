import type { FastifyReply } from "fastify";
import { z } from "zod";
import type { Caller } from "../../application/outcome.ts";
import { answer, jsonObject } from "../../contract/fields.ts";
import { data, given, pathParams } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { refusalError } from "../errors.ts";
import { once } from "../idempotency.ts";
import { parseId, pathId, unknownId } from "../ids.ts";
import { readYourOwnWrite } from "../positions.ts";
import { memberInput } from "./inputs.ts";
import { changeMemberBody, member, memberBody, memberDeleted, removeMemberBody } from "./schemas.ts";
import { type AboutPart, aboutPart, squadPart, TAGS } from "./squad-part.ts";

const MEMBERS = "/api/v1/squads/:id/members";
const MEMBER = `${MEMBERS}/:memberId`;
const querystring = z.object({ memberId: z.string().max(64).optional() });
const part = squadPart("mbr", "memberId");

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
          return {
            status: 201,
            body: data(await memberOf(deps, callerOf(request), squadId, added.value.memberId)),
          };
        },
      }),
  );
}

function registerChanging(api: Api, deps: ApiDeps): void {
  const change = async (
    reply: FastifyReply,
    about: AboutPart,
    { memberId: _named, overrideSettings, ...rest }: Change,
  ) => {
    const override = overrideSettings === undefined ? {} : { overrideSettings: jsonObject(overrideSettings) };
    const changes = { ...given(rest), ...override };
    const { squadId, id } = await part.write(deps, reply, about, (squad, memberId) =>
      deps.useCases.changeMember(about.caller, squad, memberId, changes),
    );
    return data(await memberOf(deps, about.caller, squadId, id));
  };
  const schema = { body: changeMemberBody, response: { 200: answer(member) } };
  const named = { operationId: "changeSquadMember", summary: "Changes the member named by memberId" };
  api.patch(
    MEMBERS,
    { schema: { ...part.named.schema, querystring, ...schema, ...named }, config: part.named.config },
    (request, reply) => {
      const { query, body } = request;
      return change(reply, aboutPart(request, { query: query.memberId, body: body.memberId }), body);
    },
  );
  const byId = { operationId: "changeSquadMemberById", summary: "Changes a member" };
  api.patch(
    MEMBER,
    { schema: { ...part.inPath.schema, ...schema, ...byId }, config: part.inPath.config },
    (request, reply) => change(reply, aboutPart(request, { path: request.params.memberId }), request.body),
  );
}

function registerRemoving(api: Api, deps: ApiDeps): void {
  const remove = async (reply: FastifyReply, about: AboutPart) => {
    const { id, value } = await part.write(deps, reply, about, (squadId, memberId) =>
      deps.useCases.removeMember(about.caller, squadId, memberId),
    );
    const { removedHandoffIds, newEntryMemberId } = value;
    return data({ id, deleted: true as const, removedHandoffIds, newEntryMemberId });
  };
  const response = { 200: answer(memberDeleted) };
  const named = {
    operationId: "removeSquadMember",
    summary: "Removes the member named by memberId, with its handoffs",
  };
  api.delete(
    MEMBERS,
    {
      schema: { ...part.named.schema, querystring, body: removeMemberBody, response, ...named },
      config: part.named.config,
    },
    (request, reply) =>
      remove(reply, aboutPart(request, { query: request.query.memberId, body: request.body?.memberId })),
  );
  const byId = { operationId: "removeSquadMemberById", summary: "Removes a member with its handoffs" };
  api.delete(
    MEMBER,
    { schema: { ...part.inPath.schema, response, ...byId }, config: part.inPath.config },
    (request, reply) => remove(reply, aboutPart(request, { path: request.params.memberId })),
  );
}

async function memberOf(
  { queries }: ApiDeps,
  caller: Caller,
  squadId: Parameters<ApiDeps["queries"]["squadFromLog"]>[1],
  memberId: string,
) {
  const squad = await queries.squadFromLog(caller.owner, squadId);
  const record = squad?.members.find(({ id }) => id === memberId);
  if (record === undefined) throw unknownId("mbr");
  return record;
}
