import type { FastifyReply, FastifyRequest } from "fastify";
import type { CampaignSettingsChanges } from "../../application/campaign/campaign-commands.ts";
import type { Caller, Outcome } from "../../application/outcome.ts";
import { answer, noBody } from "../../contract/fields.ts";
import type { CampaignId } from "../../domain/shared/ids.ts";
import { data, given, pathParams } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { refusalError, validationError } from "../errors.ts";
import { found, pathId } from "../ids.ts";
import { readYourOwnWrite } from "../positions.ts";
import { campaignWithStatistics, startedCampaign } from "./answer-schemas.ts";
import { campaignAfterWrite, campaignFromLog } from "./answers.ts";
import { changedWindow, type WindowFields, windowOf, windowProblems } from "./call-window.ts";
import { contact } from "./record-schemas.ts";
import { cancelBody, changeCampaignBody } from "./schemas.ts";

const TAGS = ["campaigns"];
const params = pathParams("id");
const response = { 200: answer(campaignWithStatistics) };
const errors = ["CAMPAIGN_NOT_FOUND", "CAMPAIGN_INVALID_STATE"] as const;
const scope = "campaigns:write";

type Command<Value> = (caller: Caller, id: CampaignId) => Promise<Outcome<Value>>;

export function registerCampaignCommands(api: Api, deps: ApiDeps): void {
  registerStates(api, deps);
  registerChanging(api, deps);
  registerSkipping(api, deps);
}

function registerStates(api: Api, deps: ApiDeps): void {
  const { startCampaign, pauseCampaign, resumeCampaign, cancelCampaign } = deps.useCases;
  const simple = { tags: TAGS, params, body: noBody, response };
  api.post(
    "/api/v1/campaigns/:id/start",
    {
      schema: {
        ...simple,
        response: { 200: answer(startedCampaign) },
        operationId: "startCampaign",
        summary: "Begins to call",
      },
      config: { scope, errors: [...errors, "INSUFFICIENT_CREDITS"] },
    },
    async (request, reply) => {
      const { after, value } = await carriedOut(deps, request, reply, request.params.id, startCampaign);
      return data({ ...after, ...value });
    },
  );
  api.post(
    "/api/v1/campaigns/:id/pause",
    {
      schema: { ...simple, operationId: "pauseCampaign", summary: "Nobody is dialled after the answer" },
      config: { scope, errors },
    },
    (request, reply) => carryOut(deps, request, reply, request.params.id, pauseCampaign),
  );
  api.post(
    "/api/v1/campaigns/:id/resume",
    {
      schema: { ...simple, operationId: "resumeCampaign", summary: "Goes on after a pause" },
      config: { scope, errors },
    },
    (request, reply) => carryOut(deps, request, reply, request.params.id, resumeCampaign),
  );
  api.post(
    "/api/v1/campaigns/:id/cancel",
    {
      schema: {
        tags: TAGS,
        params,
        body: cancelBody,
        response,
        operationId: "cancelCampaign",
        summary: "Ends the campaign; live calls finish unless they are hung up",
      },
      config: { scope, errors },
    },
    (request, reply) => {
      const hangUpActiveCalls = request.body?.hangUpActiveCalls ?? false;
      return carryOut(deps, request, reply, request.params.id, (caller, id) =>
        cancelCampaign(caller, id, { hangUpActiveCalls }),
      );
    },
  );
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
  api.patch(
    "/api/v1/campaigns/:id",
    {
      schema: {
        operationId: "changeCampaign",
        summary: "Changes settings while PENDING or PAUSED",
        tags: TAGS,
        params,
        body: changeCampaignBody,
        response,
      },
      config: { scope, errors },
    },
    (request, reply) => {
      const {
        callWindowStart,
        callWindowEnd,
        callWindowStartMinute,
        callWindowEndMinute,
        callWindowDays,
        callWindowExcludedDates,
        ...rest
      } = request.body;
      const change = given({
        callWindowStart,
        callWindowEnd,
        callWindowStartMinute,
        callWindowEndMinute,
        callWindowDays,
        callWindowExcludedDates,
      });
      return carryOut(deps, request, reply, request.params.id, async (caller, id) => {
        const window = await wholeWindow(deps, caller, id, change);
        return deps.useCases.changeCampaign(caller, id, { ...given(rest), ...window });
      });
    },
  );
}

/** The window is merged with the current one, and checked as a whole. */
async function wholeWindow(
  deps: ApiDeps,
  { owner }: Caller,
  id: CampaignId,
  change: WindowFields,
): Promise<Pick<CampaignSettingsChanges, "window">> {
  if (Object.keys(change).length === 0) return {};
  const { campaign } = found("cmp", await campaignFromLog(deps, owner, id));
  const window = changedWindow(campaign, change);
  const problems = windowProblems(window, change);
  if (problems.length > 0) throw validationError("The request body", problems);
  return { window: windowOf(window) };
}

function registerSkipping(api: Api, deps: ApiDeps): void {
  api.post(
    "/api/v1/campaigns/:id/contacts/:contactId/skip",
    {
      schema: {
        operationId: "skipContact",
        summary: "Nobody calls this contact again",
        tags: TAGS,
        params: pathParams("id", "contactId"),
        body: noBody,
        response: { 200: answer(contact) },
      },
      config: { scope, errors: [...errors, "CONTACT_NOT_FOUND"] },
    },
    async (request, reply) => {
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
  );
}
