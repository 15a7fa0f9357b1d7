import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import { parsePhoneNumber } from "../../domain/shared/phone-number.ts";
import type { EndWish } from "../call/call-ending.ts";
import type { EventOrigin } from "../log/append-events.ts";
import type { VoiceSession } from "../ports/voice-session.ts";
import type { ConversationDeps } from "./conversation-deps.ts";

/**
 * Never rejects: if the log refuses the request, the line is closed all the same and the watchdog ends the
 * call.
 */
export async function requestEnd(
  deps: Pick<ConversationDeps, "hangUp" | "logger">,
  callId: CallId,
  { by, reason }: EndWish,
  origin: EventOrigin,
): Promise<void> {
  try {
    await deps.hangUp(callId, { by, reason }, origin);
  } catch (error) {
    deps.logger.error({ callId, error }, "the end of a conversation could not be stored");
  }
}

/** Never rejects. `refused`: the number is on the owner's do-not-call list, or the list could not be read. */
export async function transferLine(
  { suppressed, logger }: Pick<ConversationDeps, "suppressed" | "logger">,
  owner: OwnerId,
  session: VoiceSession,
  to: string,
): Promise<"begun" | "unsupported" | "refused"> {
  const number = parsePhoneNumber(to);
  if (!number.ok) return "refused";
  try {
    const listed = await suppressed(owner, [number.value]);
    return listed.has(number.value) ? "refused" : session.transfer(number.value);
  } catch (error) {
    logger.error({ error }, "the do-not-call list could not be asked before a transfer");
    return "refused";
  }
}
