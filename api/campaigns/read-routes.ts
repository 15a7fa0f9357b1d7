import { withEffectiveCap } from "../../application/campaign/effective-cap.ts";
import type { CampaignWithStatistics, Heard } from "../../application/ports/queries.ts";
import { campaignRoutes as routes } from "../../contract/campaign.ts";
import type { CampaignId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { data } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { validationError } from "../errors.ts";
import { withoutStream } from "../history/public-event.ts";
import { found, parseId, pathId } from "../ids.ts";
import { parseWhole } from "../pagination.ts";
import { telling } from "../positions.ts";
import { listed } from "../records.ts";
import { of } from "../route.ts";
import { campaignAnswer } from "./answers.ts";

const campaigns = { list: "campaigns", parse: (text: string) => parseId("cmp", text) };
const campaignEvents = { list: "campaign-events", parse: parseWhole };

export function registerCampaignReading(api: Api, deps: ApiDeps): void {
  registerList(api, deps);
  registerRecord(api, deps);
  registerProgress(api, deps);
  registerEvents(api, deps);
}

function registerList(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(routes.listCampaigns),
    handler: (request, reply) =>
      listed(campaigns, request.query, async (page) => {
        const { owner } = callerOf(request);
        const { status } = request.query;
        const filter = status === undefined ? {} : { statuses: [status] };
        const { rows, next } = await deps.queries.campaigns(owner, filter, page, telling(reply));
        return { rows: await withEffectiveCap(deps, owner, rows), next };
      }),
  });
}

function registerRecord(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(routes.getCampaign),
    handler: async (request, reply) => {
      const { owner } = callerOf(request);
      const id = pathId("cmp", request.params.id);
      const whole = await wholeCampaign(deps, owner, id, request.query.at, telling(reply));
      return data(await campaignAnswer(deps, owner, whole));
    },
  });
  api.route({
    ...of(routes.getCampaignStatistics),
    handler: async (request, reply) => {
      const id = pathId("cmp", request.params.id);
      const whole = await wholeCampaign(deps, callerOf(request).owner, id, request.query.at, telling(reply));
      return data(whole.statistics);
    },
  });
}

async function wholeCampaign(
  { queries }: ApiDeps,
  owner: OwnerId,
  id: CampaignId,
  at: Instant | undefined,
  heard: Heard,
): Promise<CampaignWithStatistics> {
  return found(
    "cmp",
    at === undefined
      ? await queries.campaign(owner, id, heard)
      : await queries.campaignAt(owner, id, at, heard),
  );
}

/** Nobody runs the campaign, or its process has not reported for 5 s. */
const UNKNOWN = { asOf: null, dueNow: null, waitingFor: null, estimatedEndAt: null };

function registerProgress(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(routes.getCampaignProgress),
    handler: async (request, reply) => {
      const { owner } = callerOf(request);
      const id = pathId("cmp", request.params.id);
      if (new URL(request.url, "http://service").searchParams.has("at")) {
        throw validationError("The query", [
          { path: ["at"], message: "Not allowed: progress is only about now" },
        ]);
      }
      found("cmp", await deps.queries.campaign(owner, id, telling(reply)));
      return data((await deps.progress.find(owner, id)) ?? UNKNOWN);
    },
  });
}

function registerEvents(api: Api, { queries }: ApiDeps): void {
  api.route({
    ...of(routes.listCampaignEvents),
    handler: async (request, reply) => {
      const id = pathId("cmp", request.params.id);
      const { owner } = callerOf(request);
      return listed(campaignEvents, request.query, async (page) =>
        withoutStream(found("cmp", await queries.campaignEvents(owner, id, page, telling(reply)))),
      );
    },
  });
}
