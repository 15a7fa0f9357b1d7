import type { FastifyReply } from "fastify";
import type { Caller } from "../../application/outcome.ts";
import { jsonObject } from "../../contract/fields.ts";
import { type MemberChanges, squadMemberRoutes } from "../../contract/squad-member.ts";
import { data, given } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { refusalError } from "../errors.ts";
import { once } from "../idempotency.ts";
import { parseId, pathId, unknownId } from "../ids.ts";
import { readYourOwnWrite } from "../positions.ts";
import { of } from "../route.ts";
import { memberInput } from "./inputs.ts";
import { type AboutPart, aboutPart, writePart } from "./squad-part.ts";

const PART = { prefix: "mbr", field: "memberId" } as const;

export function registerMembers(api: Api, deps: ApiDeps): void {
  registerAdding(api, deps);
  registerChanging(api, deps);
  registerRemoving(api, deps);
}

function registerAdding(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(squadMemberRoutes.addSquadMember),
    handler: (request, reply) =>
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
  });
}

function registerChanging(api: Api, deps: ApiDeps): void {
  const change = async (
    reply: FastifyReply,
    about: AboutPart,
    { memberId: _named, overrideSettings, ...rest }: MemberChanges,
  ) => {
    const override = overrideSettings === undefined ? {} : { overrideSettings: jsonObject(overrideSettings) };
    const changes = { ...given(rest), ...override };
    const { squadId, id } = await writePart(deps, reply, about, PART, (squad, memberId) =>
      deps.useCases.changeMember(about.caller, squad, memberId, changes),
    );
    return data(await memberOf(deps, about.caller, squadId, id));
  };
  api.route({
    ...of(squadMemberRoutes.changeSquadMember),
    handler: async (request, reply) => {
      const { query, body } = request;
      return change(reply, aboutPart(request, { query: query.memberId, body: body.memberId }), body);
    },
  });
  api.route({
    ...of(squadMemberRoutes.changeSquadMemberById),
    handler: async (request, reply) =>
      change(reply, aboutPart(request, { path: request.params.memberId }), request.body),
  });
}

function registerRemoving(api: Api, deps: ApiDeps): void {
  const remove = async (reply: FastifyReply, about: AboutPart) => {
    const { id, value } = await writePart(deps, reply, about, PART, (squadId, memberId) =>
      deps.useCases.removeMember(about.caller, squadId, memberId),
    );
    const { removedHandoffIds, newEntryMemberId } = value;
    return data({ id, deleted: true as const, removedHandoffIds, newEntryMemberId });
  };
  api.route({
    ...of(squadMemberRoutes.removeSquadMember),
    handler: async (request, reply) =>
      remove(reply, aboutPart(request, { query: request.query.memberId, body: request.body?.memberId })),
  });
  api.route({
    ...of(squadMemberRoutes.removeSquadMemberById),
    handler: async (request, reply) => remove(reply, aboutPart(request, { path: request.params.memberId })),
  });
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
