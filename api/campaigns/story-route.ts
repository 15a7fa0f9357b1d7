import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { answer, instant } from "../../contract/fields.ts";
import { data, pathParams } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { found, pathId } from "../ids.ts";
import { positionText, telling } from "../positions.ts";

const whole = z.number().meta({ type: "integer" });
const column = (description: string) => z.array(whole).describe(description);

const campaignStory = z
  .object({
    position: z.string().describe("Of the last event; the feed goes on behind it"),
    startsAt: instant.describe("When the first event happened"),
    contacts: z
      .number()
      .meta({ type: "integer", minimum: 0, description: "Number of contacts there are by the last event" }),
    kinds: z.array(z.string()).describe("Types of events, to which `kind` points"),
    reasons: z.array(z.string()).describe("Texts to which `reason` points"),
    columns: z
      .object({
        at: column("Milliseconds after the row before; of the first row after startsAt"),
        kind: column("Place in `kinds`"),
        contact: column("The contact's place in the order of import, from 0; -1: none"),
        reason: column(
          "Place in `reasons`; -1: none. endReason of an attempt, pauseReason of a pause, outcome of a ContactSkipped",
        ),
        value: z
          .array(whole.nullable())
          .describe(
            "How many contacts an import brought; of ContactAttemptFailed the next attempt in milliseconds after the row, null: none; else the attempt, or null",
          ),
      })
      .describe("A row for each event, in their order"),
  })
  .meta({
    id: "CampaignStory",
    examples: [
      {
        position: "42",
        startsAt: "2026-09-01T10:00:00.000Z",
        contacts: 1,
        kinds: ["ContactsImported", "CampaignCreated"],
        reasons: [],
        columns: { at: [0, 3], kind: [0, 1], contact: [-1, -1], reason: [-1, -1], value: [1, 1] },
      },
    ],
  });

/** The whole history of a campaign, small enough to be folded in the browser. */
export function registerStory(api: Api, deps: ApiDeps): void {
  api.get(
    "/api/v1/campaigns/:id/story",
    {
      schema: {
        operationId: "getCampaignStory",
        summary: "Everything that happened to a campaign, in columns",
        description: "Without names, numbers and ids of calls; compressed where the client takes gzip or br.",
        tags: ["campaigns"],
        params: pathParams("id"),
        response: { 200: answer(campaignStory) },
      },
      config: { scope: "campaigns:read", errors: ["CAMPAIGN_NOT_FOUND"], answersMuch: true },
    },
    async (request, reply) => {
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
  );
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
