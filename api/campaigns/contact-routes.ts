import { Readable } from "node:stream";
import type { ProblemDetail } from "../../application/outcome.ts";
import { campaignStoryRoutes } from "../../contract/campaign-story.ts";
import { contactRoutes as routes } from "../../contract/contact.ts";
import { inPieces } from "../answer-room.ts";
import { asFile, data, given } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { refusalError, validationError } from "../errors.ts";
import { found, pathId, unknownId } from "../ids.ts";
import { languageOf } from "../language.ts";
import { namesIn, outcomeFilter } from "../outcome-filter.ts";
import { listAnswer, pageRequest, parseWhole } from "../pagination.ts";
import { parsePosition, positionText, readYourOwnWrite, telling } from "../positions.ts";
import { listed } from "../records.ts";
import { of } from "../route.ts";
import { contactsCsv, EXPORTED_AT_ONCE } from "./contacts-csv.ts";

const contacts = { list: "contacts", parse: parseWhole };

export function registerContacts(api: Api, deps: ApiDeps): void {
  registerList(api, deps);
  registerContact(api, deps);
  registerEvents(api, deps);
  registerExport(api, deps);
  registerSkipping(api, deps);
  registerExplain(api, deps);
}

function registerList(api: Api, { queries }: ApiDeps): void {
  api.route({
    ...of(routes.listContacts),
    handler: async (request, reply) => {
      const { owner } = callerOf(request);
      const id = pathId("cmp", request.params.id);
      const { at, q, from, cursor, limit, ...more } = request.query;
      const brought = outcomeFilter(request.url);
      const ofNow = [
        ...(["success", "held"] as const).filter((name) => more[name] !== undefined),
        ...namesIn(brought),
      ];
      const problems = [
        ...(from === undefined || cursor === undefined ? [] : [together("from", "cursor")]),
        ...(at === undefined ? [] : ofNow.map((name) => together(name, "at"))),
      ];
      if (problems.length > 0) throw validationError("The query", problems);
      const asked = pageRequest(contacts, request.query);
      const page = from === undefined ? asked : { ...asked, after: from - 1 };
      const filter = given({ ...more, text: q, ...brought });
      const rows =
        at === undefined
          ? await queries.contacts(owner, id, filter, page, telling(reply))
          : await queries.contactsAt(owner, id, at, filter, page, telling(reply));
      return listAnswer(contacts, page, found("cmp", rows));
    },
  });
}

function together(name: string, other: string): ProblemDetail {
  return { path: [name], message: `Must not stand together with ${other}` };
}

function registerContact(api: Api, { queries }: ApiDeps): void {
  api.route({
    ...of(routes.getContact),
    handler: async (request, reply) => {
      const id = pathId("cmp", request.params.id);
      const contactId = pathId("ctc", request.params.contactId);
      const record = await queries.contact(callerOf(request).owner, id, contactId, telling(reply));
      if (record === "campaign_unknown") throw unknownId("cmp");
      if (record === "contact_unknown") throw unknownId("ctc");
      return data(record);
    },
  });
}

function registerEvents(api: Api, deps: ApiDeps): void {
  const { queries } = deps;
  const events = { list: "contact-events", parse: (text: string) => parsePosition(deps, text) };
  api.route({
    ...of(routes.listContactEvents),
    handler: async (request, reply) => {
      const { owner } = callerOf(request);
      const id = pathId("cmp", request.params.id);
      const contactId = pathId("ctc", request.params.contactId);
      return listed(events, request.query, async (page) => {
        const record = await queries.contact(owner, id, contactId);
        if (record === "campaign_unknown") throw unknownId("cmp");
        if (record === "contact_unknown") throw unknownId("ctc");
        return found("ctc", await queries.contactEvents(owner, id, contactId, page, telling(reply)));
      });
    },
  });
}

function registerExport(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(routes.exportContacts),
    handler: async (request, reply) => {
      const { owner } = callerOf(request);
      const id = pathId("cmp", request.params.id);
      const { success, ...standing } = request.query;
      const filter = given(standing);
      const wanted = given({ success, ...outcomeFilter(request.url) });
      const first = await deps.queries.contacts(owner, id, filter, { limit: EXPORTED_AT_ONCE, after: null });
      const outcomeNames = await deps.queries.outcomeNames(owner, id);
      const lines = contactsCsv(deps.queries, {
        owner,
        id,
        filter,
        wanted,
        first: found("cmp", first),
        outcomeNames,
      });
      asFile(reply).type("text/csv; charset=utf-8");
      reply.header("Content-Disposition", `attachment; filename="${id}-contacts.csv"`);
      const pieces = inPieces(api.answerRoom, request, lines);
      return reply.send(Readable.from(pieces, { objectMode: false }));
    },
  });
}

function registerSkipping(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(routes.skipContact),
    handler: async (request, reply) => {
      const caller = callerOf(request);
      const id = pathId("cmp", request.params.id);
      const contactId = pathId("ctc", request.params.contactId);
      const skipped = await deps.useCases.skipContact(caller, id, contactId);
      if (!skipped.ok) throw refusalError(skipped.refusal);
      const caughtUp = await readYourOwnWrite(deps, reply, skipped.position);
      const record = caughtUp ? await deps.queries.contact(caller.owner, id, contactId) : "behind";
      const shown =
        typeof record === "string" ? await deps.queries.contactFromLog(caller.owner, id, contactId) : record;
      return data(found("ctc", shown));
    },
  });
}

/** Why a contact is called, or is not. */
function registerExplain(api: Api, { queries, clock }: ApiDeps): void {
  api.route({
    ...of(campaignStoryRoutes.explainContact),
    handler: async (request, reply) => {
      const campaignId = pathId("cmp", request.params.id);
      const contactId = pathId("ctc", request.params.contactId);
      const { at = clock.now() } = request.query;
      const question = { campaignId, contactId, at, language: languageOf(request) };
      const explained = await queries.explain(callerOf(request).owner, question, telling(reply));
      if (explained === "campaign_unknown") throw unknownId("cmp");
      if (explained === "contact_unknown") throw unknownId("ctc");
      reply.header("Content-Language", question.language).header("Vary", "Accept-Language");
      const because = explained.because.map((event) => ({
        ...event,
        position: positionText(event.position),
      }));
      return data({ ...explained, because });
    },
  });
}
