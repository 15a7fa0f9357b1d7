import type { z } from "zod";
import type { DeliveryQuery } from "../../application/ports/webhook-settings.ts";
import { type DeliveryRecord, deliveryRoutes } from "../../contract/delivery.ts";
import { millisOf } from "../../domain/shared/instant.ts";
import { data, given } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { ApiError, validationError } from "../errors.ts";
import { parseId, pathId, unknownId } from "../ids.ts";
import { listed, shown } from "../records.ts";
import { of } from "../route.ts";

const deliveries = { list: "deliveries", parse: (text: string) => parseId("dlv", text) };
/** How long bodies are kept (docs/delivery.md). */
const REPLAY_REACH_MILLIS = 14 * 24 * 3_600_000;

export function registerDeliveries(api: Api, deps: ApiDeps): void {
  registerReading(api, deps);
  registerReplays(api, deps);
}

function registerReading(api: Api, { webhooks }: ApiDeps): void {
  api.route({
    ...of(deliveryRoutes.listDeliveries),
    handler: (request) =>
      listed(deliveries, request.query, async (page) => {
        const { callId, event, status } = request.query;
        const call = callId === undefined ? undefined : parseId("call", callId);
        if (call === null) return { rows: [], next: null };
        const query: DeliveryQuery = {
          ...given({ event, status, callId: call }),
          ...(page.after === null ? {} : { before: page.after }),
          limit: page.limit + 1,
        };
        const rows = await webhooks.deliveries(callerOf(request).owner, query);
        const onPage = rows.slice(0, page.limit);
        return { rows: onPage, next: rows.length > page.limit ? (onPage.at(-1)?.id ?? null) : null };
      }),
  });
  api.route({
    ...of(deliveryRoutes.getDelivery),
    handler: (request) =>
      shown("dlv", request.params.id, (id) => webhooks.delivery(callerOf(request).owner, id)),
  });
}

function registerReplays(api: Api, { webhooks, clock, ids }: ApiDeps): void {
  api.route({
    ...of(deliveryRoutes.replayDelivery),
    handler: async (request) => {
      const id = pathId("dlv", request.params.id);
      const replay = await webhooks.replay(callerOf(request).owner, id);
      if (replay.replayed) return data(deliveryRecord(replay.delivery));
      if (replay.reason === "not_found") throw unknownId("dlv");
      if (replay.reason === "erased") throw new ApiError("CALL_ERASED", "The texts of this call were erased");
      throw new ApiError("CONFLICT", "The body of this delivery was dropped 14 days after the event");
    },
  });
  api.route({
    ...of(deliveryRoutes.replayRange),
    handler: async (request) => {
      checkRange(request.body, clock.nowMillis());
      const { from, to, events, campaignId } = request.body;
      const campaign =
        campaignId === undefined || campaignId === null ? undefined : parseId("cmp", campaignId);
      if (campaign === null) throw new ApiError("CAMPAIGN_NOT_FOUND", "Campaign not found", { status: 400 });
      const key = request.headers["idempotency-key"];
      const replayId = typeof key === "string" && /^[\x21-\x7e]{1,255}$/.test(key) ? key : ids.uuid();
      const range = { from, to, ...given({ events, campaignId: campaign }) };
      return data(await webhooks.replayRange(callerOf(request).owner, replayId, range));
    },
  });
}

/** Without body and attempts, which only a single delivery shows. */
function deliveryRecord(record: DeliveryRecord): DeliveryRecord {
  const { id, eventId, event, callId, campaignId, status, trigger, attempts, ...times } = record;
  const { nextAttemptAt, createdAt, deliveredAt } = times;
  const when = { nextAttemptAt, createdAt, deliveredAt };
  return { id, eventId, event, callId, campaignId, status, trigger, attempts, ...when };
}

function checkRange({ from, to }: z.output<typeof deliveryRoutes.replayRange.body>, now: number): void {
  const details: { path: string[]; message: string }[] = [];
  if (millisOf(from) < now - REPLAY_REACH_MILLIS) {
    details.push({ path: ["from"], message: "Must not lie more than 14 days back" });
  }
  if (millisOf(to) <= millisOf(from)) details.push({ path: ["to"], message: "Must lie after from" });
  if (details.length > 0) throw validationError("The request body", details);
}
