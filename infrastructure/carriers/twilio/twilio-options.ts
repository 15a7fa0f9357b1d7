import type { Dispatcher } from "undici";
import type { CarrierEventSink } from "../../../application/ports/carrier.ts";
import type { Clock } from "../../../application/ports/clock.ts";
import type { Logger } from "../../../application/ports/logger.ts";
import type { Metrics } from "../../../application/ports/metrics.ts";
import type { Conversations } from "../../../application/ports/voice-session.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import type { CallStanding } from "../../voice/relay/relay-entrance.ts";

export type TwilioSettings = {
  readonly accountSid: string;
  readonly authToken: string;
  /** Every REST request goes there; null: to Twilio itself. What stands in for Twilio may run faster than time. */
  readonly apiUrl: string | null;
  readonly callsPerSecond: number;
};

export type TwilioOptions = {
  readonly settings: TwilioSettings;
  /** Where Twilio finds this service, exactly as it signs it; without a slash at its end. */
  readonly publicUrl: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly sink: CarrierEventSink;
  readonly conversations: Conversations;
  readonly standingOf: (callId: CallId) => Promise<CallStanding>;
  /** How many sessions of this call have begun, by the log. */
  readonly sessionsBegun: (callId: CallId) => Promise<number>;
  /** Judges addresses before it connects; none: every address is taken. */
  readonly dispatcher?: Dispatcher;
};
