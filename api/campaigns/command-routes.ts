import type { FastifyReply, FastifyRequest } from "fastify";
import { pauseAllCampaigns } from "../../application/campaign/pause-all.ts";
import type { Caller, Outcome } from "../../application/outcome.ts";
import { campaignCommandRoutes as routes } from "../../contract/campaign-commands.ts";
import type { CampaignSettings } from "../../domain/campaign/settings.ts";
import {
  changedWindow,
  type WindowFields,
  windowOf,
  windowProblems,
} from "../../domain/campaign/window/window-fields.ts";
import type { CampaignId } from "../../domain/shared/ids.ts";
import { data, given } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { refusalError, validationError } from "../errors.ts";
import { once } from "../idempotency.ts";
import { found, parseId, pathId } from "../ids.ts";
import { readModelBehind, readYourOwnWrite } from "../positions.ts";
import { of } from "../route.ts";
import { withAskedAddress } from "../url-problems.ts";
import { campaignAfterWrite, campaignFromLog } from "./answers.ts";

type Command<Value> = (caller: Caller, id: CampaignId) => Promise<Outcome<Value>>;

export function registerCampaignCommands(api: Api, deps: ApiDeps): void {
  registerStates(api, deps);
  registerDeleting(api, deps);
  registerChanging(api, deps);
  registerPauseAll(api, deps);
  registerTestCall(api, deps);
}

function registerStates(api: Api, deps: ApiDeps): void {
  const { startCampaign, pauseCampaign, resumeCampaign, cancelCampaign } = deps.useCases;
  api.route({
    ...of(routes.startCampaign),
    handler: async (request, reply) => {
      const { after, value } = await carriedOut(deps, request, reply, request.params.id, startCampaign);
      return data({ ...after, ...value });
    },
  });
  api.route({
    ...of(routes.pauseCampaign),
    handler: (request, reply) => carryOut(deps, request, reply, request.params.id, pauseCampaign),
  });
  api.route({
    ...of(routes.resumeCampaign),
    handler: (request, reply) => carryOut(deps, request, reply, request.params.id, resumeCampaign),
  });
  api.route({
    ...of(routes.cancelCampaign),
    handler: (request, reply) => {
      const hangUpActiveCalls = request.body?.hangUpActiveCalls ?? false;
      return carryOut(deps, request, reply, request.params.id, (caller, id) =>
        cancelCampaign(caller, id, { hangUpActiveCalls }),
      );
    },
  });
}

function registerDeleting(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(routes.deleteCampaign),
    handler: async (request, reply) => {
      const id = pathId("cmp", request.params.id);
      const done = await deps.useCases.deleteCampaign(callerOf(request), id);
      if (!done.ok) throw refusalError(done.refusal);
      await readYourOwnWrite(deps, reply, done.position);
      return data({ id, deleted: true as const });
    },
  });
}

async function carryOut(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  idText: string,
  command: Command<null>,
) {
  return data((await carriedOut(deps, request, reply, idText, command)).after);
}

/** The answer of the command, and the campaign after it. */
async function carriedOut<Value>(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  idText: string,
  command: Command<Value>,
) {
  const caller = callerOf(request);
  const id = pathId("cmp", idText);
  const done = await command(caller, id);
  if (!done.ok) throw refusalError(done.refusal);
  const caughtUp = await readYourOwnWrite(deps, reply, done.position);
  return { after: await campaignAfterWrite(deps, caller.owner, id, caughtUp), value: done.value };
}

function registerChanging(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(routes.changeCampaign),
    handler: async (request, reply) => {
      const {
        callWindowStart,
        callWindowEnd,
        callWindowStartMinute,
        callWindowEndMinute,
        callWindowDays,
        callWindowExcludedDates,
        ...rest
      } = await withAskedAddress(deps, request.body);
      const change = given({
        callWindowStart,
        callWindowEnd,
        callWindowStartMinute,
        callWindowEndMinute,
        callWindowDays,
        callWindowExcludedDates,
      });
      const changed = await carriedOut(deps, request, reply, request.params.id, async (caller, id) => {
        const window = await mergedWindow(deps, caller, id, change);
        return deps.useCases.changeCampaign(caller, id, { ...given(rest), ...window });
      });
      return data({ ...changed.after, ...changed.value });
    },
  });
}

/** The window is merged with the current one, and checked as a whole. */
async function mergedWindow(
  deps: ApiDeps,
  { owner }: Caller,
  id: CampaignId,
  change: WindowFields,
): Promise<Partial<Pick<CampaignSettings, "window">>> {
  if (Object.keys(change).length === 0) return {};
  const { campaign } = found("cmp", await campaignFromLog(deps, owner, id));
  const window = changedWindow(campaign, change);
  const problems = windowProblems(window, change);
  if (problems.length > 0) throw validationError("The request body", problems);
  return { window: windowOf(window) };
}

/** Concurrent reads of records, from the log if the read model is behind. */
const READ_AT_ONCE = 16;

function registerPauseAll(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(routes.pauseAllCampaigns),
    handler: async (request, reply) => {
      const caller = callerOf(request);
      const { campaignIds, everything } = await pauseAllCampaigns(deps, caller);
      if (!everything) throw readModelBehind();
      const caughtUp = await readYourOwnWrite(deps, reply, await deps.eventStore.head());
      const records: Awaited<ReturnType<typeof campaignAfterWrite>>[] = [];
      for (let from = 0; from < campaignIds.length; from += READ_AT_ONCE) {
        const some = campaignIds.slice(from, from + READ_AT_ONCE);
        records.push(
          ...(await Promise.all(some.map((id) => campaignAfterWrite(deps, caller.owner, id, caughtUp)))),
        );
      }
      return {
        success: true as const,
        data: records.map(({ campaign }) => campaign),
        pagination: { limit: records.length, nextCursor: null },
      };
    },
  });
}

function registerTestCall(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(routes.testCampaignCall),
    handler: (request, reply) =>
      once(deps, request, reply, {
        ids: { callId: deps.ids.next("call") },
        make: async (made, reserved) => {
          const { to, contactId = null, consent = null } = request.body;
          const started = await deps.useCases.startTestCall(callerOf(request), {
            campaignId: pathId("cmp", request.params.id),
            reservedCallId: reserved ? parseId("call", String(made["callId"])) : null,
            to,
            contactId,
            consent,
          });
          if (!started.ok) throw refusalError(started.refusal);
          await readYourOwnWrite(deps, reply, started.position);
          return { status: 200, body: data(started.value) };
        },
      }),
  });
}
