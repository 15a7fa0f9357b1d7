import { Readable } from "node:stream";
import { z } from "zod";
import { endReason } from "../../contract/call.ts";
import { answer, bytes, instantInput, list, pageFields, pageLimit } from "../../contract/fields.ts";
import { ownerEvent } from "../../contract/history.ts";
import { inPieces } from "../answer-room.ts";
import { asFile, data, given, pathParams } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { validationError } from "../errors.ts";
import { found, pathId, unknownId } from "../ids.ts";
import { listAnswer, pageRequest, parseWhole } from "../pagination.ts";
import { parsePosition, telling } from "../positions.ts";
import { contactsCsv, EXPORTED_AT_ONCE } from "./contacts-csv.ts";
import { contact } from "./record-schemas.ts";
import { CONTACT_STATUSES } from "./schemas.ts";

const TAGS = ["campaigns"];
const contacts = { list: "contacts", parse: parseWhole };
const params = pathParams("id");
const scope = "campaigns:read";
const errors = ["CAMPAIGN_NOT_FOUND"] as const;
const status = z.enum(CONTACT_STATUSES).optional();
const place = z
  .string()
  .regex(/^\d{1,7}$/, "Must be a whole number from 0")
  .transform(Number)
  .meta({ type: "integer", minimum: 0, pattern: undefined });

export function registerContacts(api: Api, deps: ApiDeps): void {
  registerList(api, deps);
  registerContact(api, deps);
  registerEvents(api, deps);
  registerExport(api, deps);
}

function registerList(api: Api, { queries }: ApiDeps): void {
  api.get(
    "/api/v1/campaigns/:id/contacts",
    {
      schema: {
        operationId: "listContacts",
        summary: "Contacts in the order of import, now or as they stood",
        tags: TAGS,
        params,
        querystring: z.object({
          status,
          endReason: endReason.describe("Only those whose last attempt ended so").optional(),
          q: z
            .string()
            .min(1)
            .max(100)
            .describe("Only those with these digits in their number, or a word of their name that begins so")
            .optional(),
          from: place
            .describe("From this place in the order of import on, counted from 0; in place of cursor")
            .optional(),
          at: instantInput.optional(),
          ...pageFields,
          limit: pageLimit(1_000),
        }),
        response: { 200: list(contact, 1_000) },
      },
      config: { scope, errors },
    },
    async (request, reply) => {
      const { owner } = callerOf(request);
      const id = pathId("cmp", request.params.id);
      const { at, status: wanted, endReason: ended, q, from, cursor } = request.query;
      if (from !== undefined && cursor !== undefined)
        throw validationError("The query", [
          { path: ["from"], message: "Must not stand together with cursor" },
        ]);
      const asked = pageRequest(contacts, request.query);
      const page = from === undefined ? asked : { ...asked, after: from - 1 };
      const filter = given({ status: wanted, endReason: ended, text: q });
      const rows =
        at === undefined
          ? await queries.contacts(owner, id, filter, page, telling(reply))
          : await queries.contactsAt(owner, id, at, filter, page, telling(reply));
      return listAnswer(contacts, page, found("cmp", rows));
    },
  );
}

function registerContact(api: Api, { queries }: ApiDeps): void {
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

function registerEvents(api: Api, deps: ApiDeps): void {
  const { queries } = deps;
  const events = { list: "contact-events", parse: (text: string) => parsePosition(deps, text) };
  api.get(
    "/api/v1/campaigns/:id/contacts/:contactId/events",
    {
      schema: {
        operationId: "listContactEvents",
        summary: "What happened to a contact, and in all of its calls, oldest first",
        tags: TAGS,
        params: pathParams("id", "contactId"),
        querystring: z.object(pageFields),
        response: { 200: list(ownerEvent) },
      },
      config: { scope, errors: [...errors, "CONTACT_NOT_FOUND"] },
    },
    async (request, reply) => {
      const { owner } = callerOf(request);
      const id = pathId("cmp", request.params.id);
      const contactId = pathId("ctc", request.params.contactId);
      const page = pageRequest(events, request.query);
      const record = await queries.contact(owner, id, contactId);
      if (record === "campaign_unknown") throw unknownId("cmp");
      if (record === "contact_unknown") throw unknownId("ctc");
      const history = await queries.contactEvents(owner, id, contactId, page, telling(reply));
      return listAnswer(events, page, found("ctc", history));
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
      const first = await deps.queries.contacts(owner, id, filter, { limit: EXPORTED_AT_ONCE, after: null });
      const lines = contactsCsv(deps.queries, { owner, id, filter, first: found("cmp", first) });
      asFile(reply).type("text/csv; charset=utf-8");
      reply.header("Content-Disposition", `attachment; filename="${id}-contacts.csv"`);
      const pieces = inPieces(api.answerRoom, request, lines);
      return reply.send(Readable.from(pieces, { objectMode: false }));
    },
  );
}
