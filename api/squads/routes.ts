import { jsonObject } from "../../contract/fields.ts";
import { squadRoutes } from "../../contract/squad.ts";
import { data, given } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { refusalError } from "../errors.ts";
import { once } from "../idempotency.ts";
import { found, parseId, pathId } from "../ids.ts";
import { readYourOwnWrite, telling } from "../positions.ts";
import { listed, shown } from "../records.ts";
import { of } from "../route.ts";
import { registerHandoffs } from "./handoff-routes.ts";
import { handoffInput, memberInput } from "./inputs.ts";
import { registerMembers } from "./member-routes.ts";

const squads = { list: "squads", parse: (text: string) => parseId("sqd", text) };

/** docs/api.md §6. */
export function registerSquads(api: Api, deps: ApiDeps): void {
  registerReading(api, deps);
  registerCreation(api, deps);
  registerChange(api, deps);
  registerDeletion(api, deps);
  registerMembers(api, deps);
  registerHandoffs(api, deps);
}

function registerReading(api: Api, { queries }: ApiDeps): void {
  api.route({
    ...of(squadRoutes.listSquads),
    handler: (request, reply) =>
      listed(squads, request.query, (page) => queries.squads(callerOf(request).owner, page, telling(reply))),
  });
  api.route({
    ...of(squadRoutes.getSquad),
    handler: (request, reply) =>
      shown("sqd", request.params.id, (id) => queries.squad(callerOf(request).owner, id, telling(reply))),
  });
}

function registerCreation(api: Api, deps: ApiDeps): void {
  const { useCases, queries, ids } = deps;
  api.route({
    ...of(squadRoutes.createSquad),
    handler: (request, reply) =>
      once(deps, request, reply, {
        ids: { squadId: ids.next("sqd") },
        make: async (made, reserved) => {
          const caller = callerOf(request);
          const { name, description, overrideSettings, members = [], handoffs = [] } = request.body;
          const created = await useCases.createSquad(caller, {
            reservedSquadId: reserved ? parseId("sqd", String(made["squadId"])) : null,
            name,
            description: description ?? null,
            overrideSettings: jsonObject(overrideSettings),
            members: members.map(memberInput),
            handoffs: handoffs.map(handoffInput),
          });
          if (!created.ok) throw refusalError(created.refusal);
          await readYourOwnWrite(deps, reply, created.position);
          const record = found("sqd", await queries.squadFromLog(caller.owner, created.value.squadId));
          return { status: 201, body: data(record) };
        },
      }),
  });
}

function registerChange(api: Api, deps: ApiDeps): void {
  const { useCases, queries } = deps;
  api.route({
    ...of(squadRoutes.changeSquad),
    handler: async (request, reply) => {
      const caller = callerOf(request);
      const id = pathId("sqd", request.params.id);
      const { overrideSettings, ...rest } = request.body;
      const override =
        overrideSettings === undefined ? {} : { overrideSettings: jsonObject(overrideSettings) };
      const changed = await useCases.changeSquad(caller, id, { ...given(rest), ...override });
      if (!changed.ok) throw refusalError(changed.refusal);
      await readYourOwnWrite(deps, reply, changed.position);
      return data(found("sqd", await queries.squadFromLog(caller.owner, id)));
    },
  });
}

function registerDeletion(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(squadRoutes.deleteSquad),
    handler: async (request, reply) => {
      const id = pathId("sqd", request.params.id);
      const deletion = await deps.useCases.deleteSquad(callerOf(request), id);
      if (!deletion.ok) throw refusalError(deletion.refusal);
      await readYourOwnWrite(deps, reply, deletion.position);
      return data({ id, deleted: true as const });
    },
  });
}
