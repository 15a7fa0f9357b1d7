import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import type { EventOrigin } from "../log/append-events.ts";

/** Origin of what a process does to a call by itself; the call is the correlation. */
export function processOrigin(
  process: string,
  owner: OwnerId,
  callId: CallId,
  causationId: string | null = null,
): EventOrigin {
  return { owner, actor: `process:${process}`, correlationId: callId, causationId };
}
