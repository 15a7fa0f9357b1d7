import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { campaignStoryRoutes } from "../../contract/campaign-story.ts";
import { data } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { found, pathId } from "../ids.ts";
import { positionText, telling } from "../positions.ts";
import { of } from "../route.ts";

/** The whole history of a campaign, small enough to be folded in the browser. */
export function registerStory(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(campaignStoryRoutes.getCampaignStory),
    handler: async (request, reply) => {
      const id = pathId("cmp", request.params.id);
      const story = found(
        "cmp",
        await deps.queries.campaignStory(callerOf(request).owner, id, telling(reply)),
      );
      return compressed(
        request,
        reply,
        JSON.stringify(data({ ...story, position: positionText(story.position) })),
      );
    },
  });
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
/** A higher level takes longer to compress than it saves to send. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

async function compressed(request: FastifyRequest, reply: FastifyReply, json: string): Promise<FastifyReply> {
  const accepted = String(request.headers["accept-encoding"] ?? "");
  reply.type("application/json; charset=utf-8").header("Vary", "Accept-Encoding");
  if (/\bbr\b(?!;q=0(?:\.0*)?(?:,|$))/.test(accepted))
    return reply.header("Content-Encoding", "br").send(await brotli(json, BROTLI));
  if (/\bgzip\b(?!;q=0(?:\.0*)?(?:,|$))/.test(accepted))
    return reply.header("Content-Encoding", "gzip").send(await zip(json));
  return reply.send(json);
}
