import type { FastifyRequest } from "fastify";
import type { z } from "zod";
import { type Position, START } from "../../application/ports/event-store.ts";
import type { OwnerEventsFilter } from "../../application/ports/queries/history-records.ts";
import type { ownerEventsQuery } from "../../contract/history.ts";
import type { CampaignId, OwnerId } from "../../domain/shared/ids.ts";
import { given } from "../answers.ts";
import type { ApiDeps } from "../deps.ts";
import { validationError } from "../errors.ts";
import { parseId } from "../ids.ts";
import { parsePosition } from "../positions.ts";

export type EventsQuery = z.output<typeof ownerEventsQuery>;

/** The requested part of the owner's history. */
export type EventRange = {
  readonly after: Position;
  readonly before?: Position;
  readonly backward: boolean;
  /** `after=now`: no past events. */
  readonly fromNow: boolean;
};

const NOW = "now";
/** How far back the events of a campaign are searched; for older ones use its story. */
const CAMPAIGN_REACH = 10_000;

type Named = { readonly name: string; readonly text: string };

/** Last-Event-ID takes precedence over the query, because a reconnecting browser sends both. */
export async function eventRange(
  deps: ApiDeps,
  request: FastifyRequest,
  query: EventsQuery,
  streams: boolean,
): Promise<EventRange> {
  refuseContradictions(query, streams);
  const { after, before, order, cursor } = query;
  const backward = order === "desc";
  const last = request.headers["last-event-id"];
  const resumed = streams && typeof last === "string" && last !== "" ? last : undefined;
  const start = named({ "Last-Event-ID": resumed, cursor: backward ? undefined : cursor, after });
  const end = named({ cursor: backward ? cursor : undefined, before });
  if (start?.text === NOW && start.name === "after")
    return { after: await deps.queries.head(), backward, fromNow: true };
  return {
    after: start === null ? START : positionOf(deps, start),
    ...(end === null ? {} : { before: positionOf(deps, end) }),
    backward,
    fromNow: false,
  };
}

function refuseContradictions({ after, before, order, cursor }: EventsQuery, streams: boolean): void {
  const backward = order === "desc";
  if (cursor !== undefined && after !== undefined)
    throw refusedAt("cursor", "Must not stand together with after");
  if (cursor !== undefined && backward && before !== undefined)
    throw refusedAt("cursor", "Must not stand together with before");
  if (after === NOW && (backward || before !== undefined))
    throw refusedAt("after", "now must not stand together with before or order=desc");
  if (!streams) return;
  if (before !== undefined) throw refusedAt("before", "A stream has no end; ask for application/json");
  if (backward) throw refusedAt("order", "A stream goes forward; ask for application/json");
}

/** The first that is given. */
function named(candidates: Readonly<Record<string, string | undefined>>): Named | null {
  for (const [name, text] of Object.entries(candidates)) if (text !== undefined) return { name, text };
  return null;
}

function positionOf(deps: ApiDeps, { name, text }: Named): Position {
  const position = text.length <= 128 ? parsePosition(deps, text) : null;
  if (position !== null) return position;
  throw refusedAt(name, "Must be a position of the log");
}

function refusedAt(name: string, message: string) {
  return validationError("The request", [{ path: [name], message }]);
}

export function filterOf({ types, stream, campaignId }: EventsQuery): OwnerEventsFilter {
  return given({
    types,
    streamOf: stream === undefined ? undefined : streamOf(stream),
    campaignId: campaignId === undefined ? undefined : campaignOf(campaignId),
  });
}

function streamOf(text: string): NonNullable<OwnerEventsFilter["streamOf"]> {
  const id = parseId("call", text) ?? parseId("cmp", text) ?? parseId("sqd", text);
  if (id === null) throw refusedAt("stream", "Must be the id of a call, a campaign or a squad");
  return id;
}

function campaignOf(text: string): CampaignId {
  const id = parseId("cmp", text);
  if (id === null) throw refusedAt("campaignId", "Must be the id of a campaign");
  return id;
}

/**
 * No index has the events of a campaign's calls, so the search is limited. Backward it ends there by itself.
 */
export async function withinReach(
  { queries }: ApiDeps,
  owner: OwnerId,
  filter: OwnerEventsFilter,
  range: EventRange,
): Promise<EventRange> {
  if (filter.campaignId === undefined) return range;
  const { floor, reaches } = await queries.recent(owner, range.after, CAMPAIGN_REACH);
  if (reaches) return range;
  if (range.backward) return { ...range, after: floor };
  throw refusedAt(
    "after",
    `With campaignId at most ${CAMPAIGN_REACH} positions back; GET /campaigns/:id/story tells what was before`,
  );
}
