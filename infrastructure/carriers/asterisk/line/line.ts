import type { CallId } from "../../../../domain/shared/ids.ts";
import type { Instant } from "../../../../domain/shared/instant.ts";

/** What this process knows of a channel that it controls. */
export type Line = {
  readonly callId: CallId;
  state: "dialled" | "ringing" | "up" | "over";
  answeredAt: Instant | null;
  /** Its channel is in our application, so it can be bridged. */
  arrived: boolean;
  /** We have requested its end. */
  hungUp: boolean;
  recorded: boolean;
  talk: Promise<void> | null;
};
