import { z } from "zod";
import { e164, idOf, instant, phoneNumber, reference } from "../../contract/fields.ts";

const count = z.number().meta({ type: "integer", minimum: 0 });

export const erasureBody = z
  .strictObject({ callId: reference.nullish(), phoneNumber: phoneNumber.nullish() })
  .refine(({ callId = null, phoneNumber: number = null }) => (callId === null) !== (number === null), {
    message: "Must be given alone: either callId or phoneNumber",
    path: ["callId"],
  })
  .meta({ id: "ErasureRequest", examples: [{ phoneNumber: "+905321112233" }] });

export const erasure = z
  .object({
    id: idOf("ers"),
    kind: z.enum(["call", "phone_number", "retention"]),
    callId: idOf("call").nullable(),
    phoneNumber: e164.nullable(),
    status: z.enum(["running", "done"]),
    calls: count,
    recordings: count,
    deliveries: count,
    createdAt: instant,
    completedAt: instant.nullable(),
  })
  .meta({
    id: "Erasure",
    examples: [
      {
        id: "ers_01k4b2s9h3e8t9v0w1x2y3z4a5",
        kind: "phone_number",
        callId: null,
        phoneNumber: "+905321112233",
        status: "done",
        calls: 2,
        recordings: 1,
        deliveries: 4,
        createdAt: "2026-09-01T10:00:00.000Z",
        completedAt: "2026-09-01T10:00:00.300Z",
      },
    ],
  });
