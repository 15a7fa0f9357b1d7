import { z } from "zod";
import { e164, instant, label, phoneNumber } from "../schema.ts";

export const suppressionBody = z.strictObject({ phoneNumber, reason: label.nullable().optional() }).meta({
  id: "SuppressionRequest",
  examples: [{ phoneNumber: "+905321112233", reason: "Asked us to stop" }],
});

export const suppression = z
  .object({ phoneNumber: e164, reason: z.string().nullable(), createdAt: instant })
  .meta({
    id: "Suppression",
    examples: [
      {
        phoneNumber: "+905321112233",
        reason: "Asked us to stop",
        createdAt: "2026-09-01T10:00:00.000Z",
      },
    ],
  });

export const suppressionDeleted = z.object({ phoneNumber: e164, deleted: z.literal(true) });
