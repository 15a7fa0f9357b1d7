import type { FastifyReply, FastifyRequest } from "fastify";
import { analysisRoutes } from "../../contract/analysis.ts";
import { callRoutes } from "../../contract/call.ts";
import { jsonObject } from "../../contract/fields.ts";
import { outboundCallRoutes } from "../../contract/outbound-call.ts";
import { data, given } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { ApiError, outboundRefusalError, refusalError } from "../errors.ts";
import { withoutStream } from "../history/public-event.ts";
import { once } from "../idempotency.ts";
import { found, parseId, pathId } from "../ids.ts";
import { outcomeFilter } from "../outcome-filter.ts";
import { listAnswer, pageRequest, parseWhole } from "../pagination.ts";
import { readYourOwnWrite, telling } from "../positions.ts";
import { listed, shown } from "../records.ts";
import { of } from "../route.ts";
import { awaitBackground } from "../search/search-query.ts";
import { registerRecording } from "./recording-route.ts";
import { registerCallSeries } from "./series-route.ts";

const calls = { list: "calls", parse: (text: string) => parseId("call", text) };
const activeCalls = { list: "active", parse: (text: string) => parseId("call", text) };
const callEvents = { list: "call-events", parse: parseWhole };

/** docs/api.md §4. */
export function registerCalls(api: Api, deps: ApiDeps): void {
  registerStart(api, deps);
  registerActive(api, deps);
  registerOutboundCall(api, deps);
  registerEnd(api, deps);
  registerList(api, deps);
  registerCall(api, deps);
  registerRecording(api, deps);
  registerAnalysis(api, deps);
  registerCallSeries(api, deps);
}

function registerStart(api: Api, deps: ApiDeps): void {
  const { useCases, ids } = deps;
  api.route({
    ...of(outboundCallRoutes.startOutboundCall),
    errorHandler: sayWhatIsRequired(["phoneNumberId", "assistantId", "to"]),
    handler: (request, reply) =>
      once(deps, request, reply, {
        ids: { callId: ids.next("call") },
        make: async (made, reserved) => {
          const { body } = request;
          const started = await useCases.startOutboundCall(callerOf(request), {
            reservedCallId: reserved ? parseId("call", String(made["callId"])) : null,
            phoneNumberId: body.phoneNumberId,
            assistantId: body.assistantId,
            squadId: body.squadId ?? null,
            to: body.to,
            timezone: body.timezone ?? null,
            consent: body.consent ?? null,
            greetingMessage: body.greetingMessage ?? null,
            specialInstructions: body.specialInstructions ?? null,
            metadata: jsonObject(body.metadata),
          });
          if (!started.ok) throw outboundRefusalError(started.refusal);
          await readYourOwnWrite(deps, reply, started.position);
          return { status: 200, body: { success: true as const, ...started.value } };
        },
      }),
  });
}

/** Seed: when one of the three is missing, the message names all three. */
function sayWhatIsRequired(names: readonly string[]) {
  return (error: unknown, _request: FastifyRequest, _reply: FastifyReply): never => {
    throw isMissingOne(error, names)
      ? new ApiError("VALIDATION_ERROR", `${inWords(names)} are required`, { details: detailsOf(error) })
      : error;
  };
}

function isMissingOne(error: unknown, names: readonly string[]): error is ApiError {
  return (
    error instanceof ApiError &&
    detailsOf(error).some(
      ({ path, message }) =>
        message === "Required" &&
        (path.length === 0 || (path.length === 1 && names.includes(String(path[0])))),
    )
  );
}

function detailsOf({ body }: ApiError) {
  return typeof body.error === "string" ? [] : (body.error.details ?? []);
}

function inWords(names: readonly string[]): string {
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
}

function registerActive(api: Api, { queries, admission, directory }: ApiDeps): void {
  api.route({
    ...of(outboundCallRoutes.listActiveCalls),
    handler: async (request, reply) => {
      const { owner } = callerOf(request);
      const page = pageRequest(activeCalls, request.query);
      const found = await queries.activeCalls(owner, page, telling(reply));
      const { liveCalls } = await admission.account(owner);
      const limit = (await directory.owner(owner))?.plan.maxConcurrentCalls ?? 0;
      return { ...listAnswer(activeCalls, page, found), concurrency: { active: liveCalls, limit } };
    },
  });
}

function registerOutboundCall(api: Api, { queries }: ApiDeps): void {
  api.route({
    ...of(outboundCallRoutes.getOutboundCall),
    handler: async (request, reply) => {
      const id = pathId("call", request.params.callId);
      return data(found("call", await queries.outboundCall(callerOf(request).owner, id, telling(reply))));
    },
  });
}

function registerEnd(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(outboundCallRoutes.endCall),
    handler: async (request, reply) => {
      const ended = await deps.useCases.endCall(callerOf(request), pathId("call", request.params.callId));
      if (!ended.ok) throw refusalError(ended.refusal);
      await readYourOwnWrite(deps, reply, ended.position);
      const { callId, status, endReason, alreadyEnded } = ended.value;
      const end = alreadyEnded ? { endReason } : {};
      return data({ callId, status, ...end, endRequested: true as const, alreadyEnded });
    },
  });
}

function registerAnalysis(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(analysisRoutes.requestAnalysis),
    handler: (request, reply) =>
      once(deps, request, reply, {
        ids: { analysisId: deps.ids.uuid() },
        make: async (made) => {
          const asked = await deps.useCases.requestAnalysis(callerOf(request), {
            callId: pathId("call", request.params.callId),
            analysisId: String(made["analysisId"]),
            assistantVersion: request.body?.assistantVersion ?? null,
          });
          if (!asked.ok) throw refusalError(asked.refusal);
          await readYourOwnWrite(deps, reply, asked.position);
          return { status: 202, body: data(asked.value) };
        },
      }),
  });
}

function registerList(api: Api, deps: ApiDeps): void {
  const { queries } = deps;
  api.route({
    ...of(callRoutes.listCalls),
    handler: async (request, reply) => {
      const { limit, cursor, campaignId, q: text, ...filter } = request.query;
      const outcome = outcomeFilter(request.url);
      if (text !== undefined) await awaitBackground(deps, request);
      return listed(calls, { limit, cursor }, async (page) => {
        const campaign = campaignId === undefined ? undefined : parseId("cmp", campaignId);
        if (campaign === null) return { rows: [], next: null };
        const wanted = given({ ...filter, ...outcome, campaignId: campaign, text });
        return queries.calls(callerOf(request).owner, wanted, page, telling(reply));
      });
    },
  });
}

function registerCall(api: Api, { queries }: ApiDeps): void {
  api.route({
    ...of(callRoutes.getCall),
    handler: (request, reply) =>
      shown("call", request.params.callId, (id) => queries.call(callerOf(request).owner, id, telling(reply))),
  });
  api.route({
    ...of(callRoutes.listCallEvents),
    handler: async (request, reply) => {
      const id = pathId("call", request.params.callId);
      const { owner } = callerOf(request);
      return listed(callEvents, request.query, async (page) =>
        withoutStream(found("call", await queries.callEvents(owner, id, page, telling(reply)))),
      );
    },
  });
}
