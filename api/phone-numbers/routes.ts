import type { ConnectionKind } from "../../contract/connection-settings.ts";
import { phoneNumberRoutes } from "../../contract/phone-number.ts";
import { data, given } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { once } from "../idempotency.ts";
import { found, parseId, pathId, unknownId } from "../ids.ts";
import { knownConnection } from "../known-connection.ts";
import { listAnswer, pageRequest } from "../pagination.ts";
import { configurationWritten } from "../positions.ts";
import { of } from "../route.ts";

const numbers = { list: "phone-numbers", parse: (text: string) => parseId("pn", text) };
const CARRIER_KINDS: readonly ConnectionKind[] = ["twilio", "asterisk"];
const CARRIERS = { kinds: CARRIER_KINDS, path: ["connectionId"] };

/** docs/api.md §3. */
export function registerPhoneNumbers(api: Api, deps: ApiDeps): void {
  registerReading(api, deps);
  registerCreating(api, deps);
  registerChanging(api, deps);
}

function registerReading(api: Api, { configuration }: ApiDeps): void {
  api.route({
    ...of(phoneNumberRoutes.listPhoneNumbers),
    handler: async (request) => {
      const page = pageRequest(numbers, request.query);
      return listAnswer(numbers, page, await configuration.phoneNumbers.list(callerOf(request).owner, page));
    },
  });
  api.route({
    ...of(phoneNumberRoutes.getPhoneNumber),
    handler: async (request) => {
      const id = pathId("pn", request.params.id);
      return data(found("pn", await configuration.phoneNumbers.get(callerOf(request).owner, id)));
    },
  });
}

function registerCreating(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(phoneNumberRoutes.createPhoneNumber),
    handler: (request, reply) =>
      once(deps, request, reply, {
        ids: { phoneNumberId: deps.ids.next("pn") },
        make: async (made) => {
          const { phoneNumber, label, active, carrier, shared } = request.body;
          const { owner } = callerOf(request);
          const connection = await knownConnection(deps, owner, request.body.connectionId, CARRIERS);
          const id = found("pn", parseId("pn", String(made["phoneNumberId"])));
          const created = await deps.configuration.phoneNumbers.create(owner, id, {
            phoneNumber,
            label: label ?? null,
            active: active ?? true,
            carrier: carrier ?? null,
            connectionId: connection ?? null,
            shared: shared ?? false,
          });
          await configurationWritten(deps, reply);
          return { status: 201, body: data(created.value) };
        },
      }),
  });
}

function registerChanging(api: Api, deps: ApiDeps): void {
  const { phoneNumbers } = deps.configuration;
  api.route({
    ...of(phoneNumberRoutes.changePhoneNumber),
    handler: async (request, reply) => {
      const id = pathId("pn", request.params.id);
      const { owner } = callerOf(request);
      const { connectionId, ...changes } = request.body;
      const connection = await knownConnection(deps, owner, connectionId, CARRIERS);
      const changed = await phoneNumbers.change(owner, id, given({ ...changes, connectionId: connection }));
      await configurationWritten(deps, reply);
      return data(found("pn", changed));
    },
  });
  api.route({
    ...of(phoneNumberRoutes.deletePhoneNumber),
    handler: async (request, reply) => {
      const id = pathId("pn", request.params.id);
      if (!(await phoneNumbers.delete(callerOf(request).owner, id))) throw unknownId("pn");
      await configurationWritten(deps, reply);
      return data({ id, deleted: true as const });
    },
  });
}
