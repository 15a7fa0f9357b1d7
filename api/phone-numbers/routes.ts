import { phoneNumberRoutes } from "../../contract/phone-number.ts";
import { CONNECTED_CARRIERS } from "../../domain/call/carrier-identity.ts";
import { given } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { parseId } from "../ids.ts";
import { knownConnection } from "../known-connection.ts";
import { changed, deleted, listed, made, shown } from "../records.ts";
import { of } from "../route.ts";

const numbers = { list: "phone-numbers", parse: (text: string) => parseId("pn", text) };
const CARRIERS = { kinds: CONNECTED_CARRIERS, path: ["connectionId"] };

/** docs/api.md §3. */
export function registerPhoneNumbers(api: Api, deps: ApiDeps): void {
  const { phoneNumbers } = deps.configuration;
  api.route({
    ...of(phoneNumberRoutes.listPhoneNumbers),
    handler: (request) =>
      listed(numbers, request.query, (page) => phoneNumbers.list(callerOf(request).owner, page)),
  });
  api.route({
    ...of(phoneNumberRoutes.getPhoneNumber),
    handler: (request) =>
      shown("pn", request.params.id, (id) => phoneNumbers.get(callerOf(request).owner, id)),
  });
  api.route({
    ...of(phoneNumberRoutes.createPhoneNumber),
    handler: (request, reply) =>
      made(deps, request, reply, ["pn", "phoneNumberId"], async (id) => {
        const { phoneNumber, label, active, carrier, shared } = request.body;
        const { owner } = callerOf(request);
        const connection = await knownConnection(deps, owner, request.body.connectionId, CARRIERS);
        const created = await phoneNumbers.create(owner, id, {
          phoneNumber,
          label: label ?? null,
          active: active ?? true,
          carrier: carrier ?? null,
          connectionId: connection ?? null,
          shared: shared ?? false,
        });
        return created.value;
      }),
  });
  api.route({
    ...of(phoneNumberRoutes.changePhoneNumber),
    handler: (request, reply) =>
      changed(deps, reply, "pn", request.params.id, async (id) => {
        const { owner } = callerOf(request);
        const { connectionId, ...changes } = request.body;
        const connection = await knownConnection(deps, owner, connectionId, CARRIERS);
        return phoneNumbers.change(owner, id, given({ ...changes, connectionId: connection }));
      }),
  });
  api.route({
    ...of(phoneNumberRoutes.deletePhoneNumber),
    handler: (request, reply) =>
      deleted(deps, reply, "pn", request.params.id, (id) => phoneNumbers.delete(callerOf(request).owner, id)),
  });
}
