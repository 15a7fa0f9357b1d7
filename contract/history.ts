import { z } from "zod";
import { instant } from "./fields.ts";

/** Events differ by type; their data is any JSON. */
const anyValue = z.unknown().meta({ description: "Any JSON value" });

const fields = {
  position: z.string(),
  revision: z.number().meta({ type: "integer", minimum: 0 }),
  type: z.string(),
  data: z
    .record(z.string(), anyValue)
    .describe("What the event says, by its type; amounts are credits with 4 decimals, durations seconds"),
  occurredAt: instant,
  correlationId: z.string(),
  causationId: z.string().nullable(),
  actor: z
    .object({
      kind: z.enum(["key", "process"]).describe("An API key, or a process of the service by itself"),
      id: z.string().describe("The key's id, or the name of the process"),
      name: z.string().describe("The key's name; left out where none is known").optional(),
    })
    .describe("Who made it happen"),
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
export const ownerEvent = z.object({ stream: z.string(), ...fields }).meta({ id: "OwnerEvent" });

export const ownerEventsQuery = z.object({
  after: z
    .string()
    .max(128)
    .describe("Events behind this position; `now`: none that was, X-Event-Position says where to go on")
    .optional(),
  before: z.string().max(128).describe("Events in front of this position; not for a stream").optional(),
  order: z
    .enum(["asc", "desc"])
    .describe("desc: the newest first, the cursor goes backward; not for a stream")
    .optional(),
  campaignId: z
    .string()
    .max(64)
    .describe(
      "Events of a campaign and of its calls, at most 10,000 positions back; calls that began before the upgrade to this release are left out",
    )
    .optional(),
  types: z
    .string()
    .regex(/^[A-Za-z]{1,64}(,[A-Za-z]{1,64}){0,49}$/, "Takes names of events, separated by commas")
    .transform((names) => names.split(","))
    .meta({ examples: ["CallCompleted,CallFailed"] })
    .optional(),
  stream: z.string().max(64).optional(),
});
