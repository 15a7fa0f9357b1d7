import { z } from "zod";
import type { CallOfTheCarrier } from "../../domain/campaign/commands.ts";

/** The form in the journal and in the answer of `GET /calls`. */
export const callOfTheCarrier = z.object({
  callId: z.templateLiteral(["call_", z.string()]),
  from: z.templateLiteral(["+", z.string()]),
  to: z.templateLiteral(["+", z.string()]),
  at: z.templateLiteral([z.string(), "Z"]),
}) satisfies z.ZodType<CallOfTheCarrier>;
