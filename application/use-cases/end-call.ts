import type { EndReason } from "../../domain/call/end-reason.ts";
import type { CallStatus } from "../../domain/call/events.ts";
import type { CallId } from "../../domain/shared/ids.ts";

export type EndCallAnswer = {
  readonly callId: CallId;
  readonly status: CallStatus;
  readonly endReason: EndReason | null;
  /** The call had ended before this request. */
  readonly alreadyEnded: boolean;
};
