import { Readable } from "node:stream";
import { z } from "zod";
import { asFile, data, given, pathParams } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { found, pathId, unknownId } from "../ids.ts";
import { listAnswer, pageFields, pageRequest, parseWhole } from "../pagination.ts";
import { telling } from "../positions.ts";
import { answer, bytes, instantInput, list } from "../schema.ts";
import { contact } from "./answer-schemas.ts";
import { contactsCsv } from "./contacts-csv.ts";
import { CONTACT_STATUSES } from "./schemas.ts";

const TAGS = ["campaigns"];
const contacts = { list: "contacts", parse: parseWhole };
const params = pathParams("id");
const scope = "campaigns:read";
const errors = ["CAMPAIGN_NOT_FOUND"] as const;
const status = z.enum(CONTACT_STATUSES).optional();

export function registerContacts(api: Api, deps: ApiDeps): void {
  registerReading(api, deps);
  registerExport(api, deps);
}

function registerReading(api: Api, { queries }: ApiDeps): void {
  api.get(
    "/api/v1/campaigns/:id/contacts",
    {
      schema: {
        operationId: "listContacts",
        summary: "Contacts in the order of import, now or as they stood",
        tags: TAGS,
        params,
        querystring: z.object({ status, at: instantInput.optional(), ...pageFields }),
        response: { 200: list(contact) },
      },
      config: { scope, errors },
    },
    async (request, reply) => {
      const { owner } = callerOf(request);
      const id = pathId("cmp", request.params.id);
      const { at, status: wanted } = request.query;
      const page = pageRequest(contacts, request.query);
      const filter = given({ status: wanted });
      const rows =
        at === undefined
          ? await queries.contacts(owner, id, filter, page, telling(reply))
          : await queries.contactsAt(owner, id, at, filter, page, telling(reply));
      return listAnswer(contacts, page, found("cmp", rows));
    },
  );
  api.get(
    "/api/v1/campaigns/:id/contacts/:contactId",
    {
      schema: {
        operationId: "getContact",
        summary: "One contact with its attempts",
        tags: TAGS,
        params: pathParams("id", "contactId"),
        response: { 200: answer(contact) },
      },
      config: { scope, errors: [...errors, "CONTACT_NOT_FOUND"] },
    },
    async (request, reply) => {
      const id = pathId("cmp", request.params.id);
      const contactId = pathId("ctc", request.params.contactId);
      const record = await queries.contact(callerOf(request).owner, id, contactId, telling(reply));
      if (record === "campaign_unknown") throw unknownId("cmp");
      if (record === "contact_unknown") throw unknownId("ctc");
      return data(record);
    },
  );
}

function registerExport(api: Api, deps: ApiDeps): void {
  api.get(
    "/api/v1/campaigns/:id/contacts.csv",
    {
      schema: {
        operationId: "exportContacts",
        summary: "All contacts as a CSV file",
        tags: TAGS,
        params,
        querystring: z.object({ status }),
        response: {
          200: { description: "CSV, UTF-8", content: { "text/csv": { schema: bytes } } },
        },
      },
      config: { scope, errors },
    },
    async (request, reply) => {
      const { owner } = callerOf(request);
      const id = pathId("cmp", request.params.id);
      const filter = given({ status: request.query.status });
      const first = await deps.queries.contacts(owner, id, filter, { limit: 200, after: null });
      const lines = contactsCsv(deps.queries, { owner, id, filter, first: found("cmp", first) });
      asFile(reply).type("text/csv; charset=utf-8");
      reply.header("Content-Disposition", `attachment; filename="${id}-contacts.csv"`);
      return reply.send(Readable.from(lines));
    },
  );
}
