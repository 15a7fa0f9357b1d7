import { z } from "zod";
import type { ConnectionKind } from "../../contract/connection-settings.ts";
import { answer, list, pageFields } from "../../contract/fields.ts";
import { data, given, pathParams } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { once } from "../idempotency.ts";
import { found, parseId, pathId, unknownId } from "../ids.ts";
import { knownConnection } from "../known-connection.ts";
import { listAnswer, pageRequest } from "../pagination.ts";
import { configurationWritten } from "../positions.ts";
import { changePhoneNumberBody, phoneNumberBody, phoneNumberDeleted, phoneNumberRecord } from "./schemas.ts";

const TAGS = ["phone numbers"];
const numbers = { list: "phone-numbers", parse: (text: string) => parseId("pn", text) };
const params = pathParams("id");
const scope = "phone-numbers:*";
const errors = ["PHONE_NUMBER_NOT_FOUND"] as const;
const CARRIER_KINDS: readonly ConnectionKind[] = ["twilio", "asterisk"];
const CARRIERS = { kinds: CARRIER_KINDS, path: ["connectionId"] };

/** docs/api.md §3. */
export function registerPhoneNumbers(api: Api, deps: ApiDeps): void {
  registerReading(api, deps);
  registerCreating(api, deps);
  registerChanging(api, deps);
}

function registerReading(api: Api, { configuration }: ApiDeps): void {
  api.get(
    "/api/v1/phone-numbers",
    {
      schema: {
        operationId: "listPhoneNumbers",
        summary: "Numbers to call from, newest first",
        tags: TAGS,
        querystring: z.object(pageFields),
        response: { 200: list(phoneNumberRecord) },
      },
      config: { scope },
    },
    async (request) => {
      const page = pageRequest(numbers, request.query);
      return listAnswer(numbers, page, await configuration.phoneNumbers.list(callerOf(request).owner, page));
    },
  );
  api.get(
    "/api/v1/phone-numbers/:id",
    {
      schema: {
        operationId: "getPhoneNumber",
        summary: "One number",
        tags: TAGS,
        params,
        response: { 200: answer(phoneNumberRecord) },
      },
      config: { scope, errors },
    },
    async (request) => {
      const id = pathId("pn", request.params.id);
      return data(found("pn", await configuration.phoneNumbers.get(callerOf(request).owner, id)));
    },
  );
}

function registerCreating(api: Api, deps: ApiDeps): void {
  api.post(
    "/api/v1/phone-numbers",
    {
      schema: {
        operationId: "createPhoneNumber",
        summary: "Adds a number to call from",
        tags: TAGS,
        body: phoneNumberBody,
        response: { 201: answer(phoneNumberRecord) },
      },
      config: { scope, idempotent: true },
    },
    (request, reply) =>
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
  );
}

function registerChanging(api: Api, deps: ApiDeps): void {
  const { phoneNumbers } = deps.configuration;
  api.patch(
    "/api/v1/phone-numbers/:id",
    {
      schema: {
        operationId: "changePhoneNumber",
        summary: "Changes a number; an inactive one calls nobody",
        tags: TAGS,
        params,
        body: changePhoneNumberBody,
        response: { 200: answer(phoneNumberRecord) },
      },
      config: { scope, errors },
    },
    async (request, reply) => {
      const id = pathId("pn", request.params.id);
      const { owner } = callerOf(request);
      const { connectionId, ...changes } = request.body;
      const connection = await knownConnection(deps, owner, connectionId, CARRIERS);
      const changed = await phoneNumbers.change(owner, id, given({ ...changes, connectionId: connection }));
      await configurationWritten(deps, reply);
      return data(found("pn", changed));
    },
  );
  api.delete(
    "/api/v1/phone-numbers/:id",
    {
      schema: {
        operationId: "deletePhoneNumber",
        summary: "Deletes a number; campaigns that use it pause",
        tags: TAGS,
        params,
        response: { 200: answer(phoneNumberDeleted) },
      },
      config: { scope, errors },
    },
    async (request, reply) => {
      const id = pathId("pn", request.params.id);
      if (!(await phoneNumbers.delete(callerOf(request).owner, id))) throw unknownId("pn");
      await configurationWritten(deps, reply);
      return data({ id, deleted: true as const });
    },
  );
}
