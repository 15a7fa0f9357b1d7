import { z } from "zod";
import { data, given, pathParams } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { outboundRefusalError, refusalError } from "../errors.ts";
import { withoutStream } from "../history/public-event.ts";
import { historyEvent } from "../history/schemas.ts";
import { once } from "../idempotency.ts";
import { found, parseId, pathId } from "../ids.ts";
import { listAnswer, pageFields, pageRequest, parseWhole } from "../pagination.ts";
import { readYourOwnWrite, telling } from "../positions.ts";
import { answer, jsonObject, list } from "../schema.ts";
import { awaitAside } from "../search/search-query.ts";
import { registerRecording } from "./recording-route.ts";
import { sayWhatIsRequired } from "./required-fields.ts";
import {
  callEnd,
  callListRecord,
  callRecord,
  callsQuery,
  concurrency,
  outboundCall,
  outboundCallBody,
  outboundStarted,
} from "./schemas.ts";
import { registerCallSeries } from "./series-route.ts";

const TAGS = ["calls"];
const calls = { list: "calls", parse: (text: string) => parseId("call", text) };
const activeCalls = { list: "active", parse: (text: string) => parseId("call", text) };
const callEvents = { list: "call-events", parse: parseWhole };
const params = pathParams("callId");
const unknown = ["CALL_NOT_FOUND"] as const;

/** Refusals of every single call. */
export const CALL_REFUSALS = [
  "INSUFFICIENT_CREDITS",
  "RECIPIENT_SUPPRESSED",
  "CONCURRENCY_LIMIT_REACHED",
  "CARRIER_UNAVAILABLE",
  "ASSISTANT_UNAVAILABLE",
] as const;

/** docs/api.md §4. */
export function registerCalls(api: Api, deps: ApiDeps): void {
  registerStart(api, deps);
  registerActive(api, deps);
  registerOutboundCall(api, deps);
  registerEnd(api, deps);
  registerList(api, deps);
  registerCall(api, deps);
  registerRecording(api, deps);
  registerCallSeries(api, deps);
}

function registerStart(api: Api, deps: ApiDeps): void {
  const { useCases, ids } = deps;
  api.post(
    "/api/v1/calls/outbound",
    {
      schema: {
        operationId: "startOutboundCall",
        summary: "Starts an outbound call with an assistant",
        tags: TAGS,
        body: outboundCallBody,
        response: { 200: outboundStarted },
      },
      config: {
        scope: "calls:write",
        idempotent: true,
        plainErrors: true,
        errors: ["SQUAD_NOT_FOUND@400", "ASSISTANT_NOT_PUBLISHED", ...CALL_REFUSALS],
      },
      errorHandler: sayWhatIsRequired(["phoneNumberId", "assistantId", "to"]),
    },
    (request, reply) =>
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
            greetingMessage: body.greetingMessage ?? null,
            specialInstructions: body.specialInstructions ?? null,
            metadata: jsonObject(body.metadata),
          });
          if (!started.ok) throw outboundRefusalError(started.refusal);
          await readYourOwnWrite(deps, reply, started.position);
          return { status: 200, body: { success: true as const, ...started.value } };
        },
      }),
  );
}

function registerActive(api: Api, { queries, admission, directory }: ApiDeps): void {
  api.get(
    "/api/v1/calls/outbound/active",
    {
      schema: {
        operationId: "listActiveCalls",
        summary: "Calls that have not ended",
        tags: TAGS,
        querystring: z.object(pageFields),
        response: { 200: list(outboundCall).extend({ concurrency }) },
      },
      config: { scope: "calls:read" },
    },
    async (request, reply) => {
      const { owner } = callerOf(request);
      const page = pageRequest(activeCalls, request.query);
      const found = await queries.activeCalls(owner, page, telling(reply));
      const { liveCalls } = await admission.account(owner);
      const limit = (await directory.owner(owner))?.plan.maxConcurrentCalls ?? 0;
      return { ...listAnswer(activeCalls, page, found), concurrency: { active: liveCalls, limit } };
    },
  );
}

function registerOutboundCall(api: Api, { queries }: ApiDeps): void {
  api.get(
    "/api/v1/calls/outbound/:callId",
    {
      schema: {
        operationId: "getOutboundCall",
        summary: "Status of an outbound call",
        tags: TAGS,
        params,
        response: { 200: answer(outboundCall) },
      },
      config: { scope: "calls:read", errors: unknown },
    },
    async (request, reply) => {
      const id = pathId("call", request.params.callId);
      return data(found("call", await queries.outboundCall(callerOf(request).owner, id, telling(reply))));
    },
  );
}

function registerEnd(api: Api, deps: ApiDeps): void {
  api.delete(
    "/api/v1/calls/outbound/:callId",
    {
      schema: {
        operationId: "endCall",
        summary: "Hangs up; may be repeated",
        tags: TAGS,
        params,
        response: { 200: answer(callEnd) },
      },
      config: { scope: "calls:write", errors: unknown },
    },
    async (request, reply) => {
      const ended = await deps.useCases.endCall(callerOf(request), pathId("call", request.params.callId));
      if (!ended.ok) throw refusalError(ended.refusal);
      await readYourOwnWrite(deps, reply, ended.position);
      const { callId, status, endReason, alreadyEnded } = ended.value;
      const end = alreadyEnded ? { endReason } : {};
      return data({ callId, status, ...end, endRequested: true as const, alreadyEnded });
    },
  );
}

function registerList(api: Api, deps: ApiDeps): void {
  const { queries } = deps;
  api.get(
    "/api/v1/calls",
    {
      schema: {
        operationId: "listCalls",
        summary: "Calls, newest first",
        tags: TAGS,
        querystring: callsQuery.extend(pageFields),
        response: { 200: list(callListRecord) },
      },
      config: { scope: "calls:read" },
    },
    async (request, reply) => {
      const { limit, cursor, campaignId, q: text, ...filter } = request.query;
      if (text !== undefined) await awaitAside(deps, request);
      const page = pageRequest(calls, { limit, cursor });
      const campaign = campaignId === undefined ? undefined : parseId("cmp", campaignId);
      if (campaign === null) return listAnswer(calls, page, { rows: [], next: null });
      const wanted = given({ ...filter, campaignId: campaign, text });
      return listAnswer(
        calls,
        page,
        await queries.calls(callerOf(request).owner, wanted, page, telling(reply)),
      );
    },
  );
}

function registerCall(api: Api, { queries }: ApiDeps): void {
  api.get(
    "/api/v1/calls/:callId",
    {
      schema: {
        operationId: "getCall",
        summary: "Call details and messages",
        tags: TAGS,
        params,
        response: { 200: answer(callRecord) },
      },
      config: { scope: "calls:read", errors: unknown },
    },
    async (request, reply) => {
      const id = pathId("call", request.params.callId);
      return data(found("call", await queries.call(callerOf(request).owner, id, telling(reply))));
    },
  );
  api.get(
    "/api/v1/calls/:callId/events",
    {
      schema: {
        operationId: "listCallEvents",
        summary: "History of a call, oldest first",
        tags: TAGS,
        params,
        querystring: z.object(pageFields),
        response: { 200: list(historyEvent) },
      },
      config: { scope: "calls:read", errors: unknown },
    },
    async (request, reply) => {
      const id = pathId("call", request.params.callId);
      const page = pageRequest(callEvents, request.query);
      const events = found(
        "call",
        await queries.callEvents(callerOf(request).owner, id, page, telling(reply)),
      );
      return listAnswer(callEvents, page, withoutStream(events));
    },
  );
}
