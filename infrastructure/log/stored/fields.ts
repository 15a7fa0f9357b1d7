import { z } from "zod";
import type { JsonObject, JsonValue } from "../../../domain/shared/json.ts";

/*
 * The values of the stored form. They are listed here and not taken from the domain, so that stored events
 * stay readable when the domain drops a value.
 */

/** `call_…` for the prefix `call`. */
export function idWithPrefix<Prefix extends string>(prefix: Prefix) {
  return z.templateLiteral([`${prefix}_`, z.string()]);
}

export const callId = idWithPrefix("call");
export const campaignId = idWithPrefix("cmp");
export const contactId = idWithPrefix("ctc");
export const importId = idWithPrefix("imp");
export const squadId = idWithPrefix("sqd");
export const memberId = idWithPrefix("mbr");
export const handoffId = idWithPrefix("hnd");
export const assistantId = idWithPrefix("ast");
export const phoneNumberId = idWithPrefix("pn");
export const toolId = idWithPrefix("tool");
export const erasureId = idWithPrefix("ers");
export const ownerId = idWithPrefix("usr");
export const connectionId = idWithPrefix("conn");
export const suppressionListId = idWithPrefix("spl");

export const instant = z.templateLiteral([z.string(), "Z"]);
export const phoneNumber = z.templateLiteral(["+", z.string()]);
export const creditUnits = z.number();

/** Values from the log were parsed from JSON, so nothing inside needs another check. */
export const jsonObject = z.custom<JsonObject>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "no object",
);
export const jsonValue = z.custom<JsonValue>((value) => value !== undefined, "missing");

export const endReason = z.enum([
  "customer_ended",
  "assistant_ended",
  "api_ended",
  "max_duration",
  "silence_timeout",
  "transferred",
  "voicemail_message_left",
  "busy",
  "no_answer",
  "unreachable",
  "voicemail",
  "declined",
  "carrier_error",
  "setup_timeout",
  "not_placed",
  "connection_lost",
  "assistant_error",
  "invalid_number",
  "invalid_text",
  "permission_denied",
  "suppressed",
  "assistant_unpublished",
  "phone_number_inactive",
  "insufficient_credits",
  "canceled",
  "outcome_unknown",
]);

export const suppressionListKind = z.enum(["own", "registry", "litigators", "other"]);

export const voicemailPolicy = z.enum(["hang_up", "leave_message", "ignore"]);

export const pinnedAssistant = z.object({
  assistantId,
  assistantVersion: z.int(),
  name: z.string(),
  greetingMessage: z.string(),
});

export const pinnedSquad = z.object({
  squadId,
  members: z.array(pinnedAssistant.extend({ memberId })),
  handoffs: z.array(
    z.object({
      fromAssistantId: assistantId,
      toAssistantId: assistantId,
      toolName: z.string(),
      message: z.string().nullable(),
    }),
  ),
});

export const callWindow = z.object({
  start: z.int(),
  end: z.int(),
  startMinute: z.int().exactOptional(),
  endMinute: z.int().exactOptional(),
  days: z.array(z.int()).exactOptional(),
  excludedDates: z.array(z.string()).exactOptional(),
});
