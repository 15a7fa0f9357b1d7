import { z } from "zod";
import type { JsonObject } from "../domain/shared/json.ts";
import { bytes, type DeepReadonly, instant, list, pageFields, typed } from "./fields.ts";
import { routes } from "./route.ts";

/** Events differ by type; their data is any JSON. */
const anyData = typed<JsonObject>(
  z.record(z.string(), z.unknown().meta({ description: "Any JSON value" })),
).describe("What the event says, by its type; amounts are credits with 4 decimals, durations seconds");

/** Who made something happen. */
export const actor = z.object({
  kind: z.enum(["key", "process"]).describe("An API key, or a process of the service by itself"),
  id: z.string().describe("The key's id, or the name of the process"),
  name: z.string().exactOptional().describe("The key's name; left out where none is known"),
});

const fields = {
  position: z.string().describe("Its place in the whole log; opaque"),
  revision: z.number().meta({ type: "integer", minimum: 0 }).describe("Place in its stream, counted from 0"),
  type: z.string().describe("What happened"),
  data: anyData,
  occurredAt: instant.describe("When it happened; ISO 8601, UTC"),
  correlationId: z.string().describe("The same for everything that one request led to"),
  causationId: z.string().nullable().describe("Id of what led to it; null: a request"),
  actor: actor.describe("Who made it happen"),
};

/** An event in its public form. */
export const historyEvent = z.object(fields).meta({
  id: "HistoryEvent",
  examples: [
    {
      position: "42",
      revision: 1,
      type: "CallDialingBegan",
      data: {
        callId: "call_01k4b2s9h3e8t9v0w1x2y3z4a5",
        at: "2026-09-01T10:00:00.000Z",
        carrier: {
          kind: "asterisk",
          connectionId: "conn_01k4b2s9h3e8t9v0w1x2y3z4a5",
          instance: "1795359229-5f0c",
        },
      },
      occurredAt: "2026-09-01T10:00:00.000Z",
      correlationId: "4f1c0f0e-7c55-4f0e-8b4c-7a1b2c3d4e5f",
      causationId: null,
      actor: { kind: "process", id: "call-dialing" },
    },
  ],
});

/** The same with its stream. */
export const ownerEvent = z
  .object({ stream: z.string().describe("Stream of the call, campaign, squad, policy or list"), ...fields })
  .meta({ id: "OwnerEvent" });
/**
 * `data` as stored, but amounts are credits, and ContactsImported has `firstIndex` and `count` instead of its
 * contacts.
 */
export type HistoryRecord = DeepReadonly<z.infer<typeof ownerEvent>>;

export const ownerEventsQuery = z.object({
  after: z
    .string()
    .max(128)
    .optional()
    .describe("Events behind this position; `now`: none that was, X-Event-Position says where to go on"),
  before: z.string().max(128).optional().describe("Events in front of this position; not for a stream"),
  order: z
    .enum(["asc", "desc"])
    .optional()
    .describe("desc: the newest first, the cursor goes backward; not for a stream"),
  campaignId: z
    .string()
    .max(64)
    .optional()
    .describe(
      "Events of a campaign and of its calls, at most 10,000 positions back; calls that began before the upgrade to this release are left out",
    ),
  types: z
    .string()
    .regex(/^[A-Za-z]{1,64}(,[A-Za-z]{1,64}){0,49}$/, "Takes names of events, separated by commas")
    .transform((names) => names.split(","))
    .meta({ examples: ["CallCompleted,CallFailed"] })
    .optional()
    .describe("Only events of these types, separated by commas"),
  stream: z.string().max(64).optional().describe("Only events of the call, campaign or squad with this id"),
  ...pageFields,
});

export const historyRoutes = routes({
  listEvents: {
    method: "GET",
    path: "/api/v1/events",
    tag: "history",
    summary: "Everything that happened to this owner's calls, campaigns and squads, oldest first",
    description:
      "`cursor` and `after` both take the position to go on after, which is `pagination.nextCursor`; with `order=desc` `cursor` and `before` take the one to go on in front of. With `Accept: text/event-stream` it follows live; " +
      "`Last-Event-ID` resumes. A stream begins with the id that it goes on after; one that the service ends closes with `event: closing`, whose data says why.",
    scope: "events:read",
    query: ownerEventsQuery,
    answers: {
      200: {
        description: "A page, or a stream of server-sent events",
        content: {
          "application/json": { schema: list(ownerEvent) },
          "text/event-stream": { schema: bytes },
        },
      },
    },
    errors: ["CONCURRENCY_LIMIT_REACHED"],
    streamsEvents: true,
  },
});
