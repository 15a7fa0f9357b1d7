import type { CarrierEventSink } from "../../application/ports/carrier.ts";
import type { Clock } from "../../application/ports/clock.ts";
import type { AsteriskSettings, TwilioSettings } from "../../application/ports/configuration/connections.ts";
import type { Logger } from "../../application/ports/logger.ts";
import type { Metrics } from "../../application/ports/metrics.ts";
import type { PinnedSpeaker } from "../../application/ports/pinned-conversations.ts";
import type { Conversations } from "../../application/ports/voice-session.ts";
import type { CallId, ConnectionId, OwnerId } from "../../domain/shared/ids.ts";
import type { AddressPolicy, ResolveName } from "../http/address-guard.ts";
import type { GuardedFetch } from "../http/guarded-fetch.ts";
import type { CallStanding } from "../voice/relay/relay-entrance.ts";

/** Which connection is opened. */
export type CarrierConnection = {
  /** Its name in metrics, logs and admission: the connection's id; the kind for the installation's own. */
  readonly key: string;
  /** null: the installation's own. */
  readonly connectionId: ConnectionId | null;
  /** null: the installation's own, whoever calls through it. */
  readonly owner: OwnerId | null;
};

/** Who speaks on a call, as the conversation was pinned. */
export type CallSpeaker = Pick<
  PinnedSpeaker,
  "assistantId" | "language" | "voice" | "interruptible" | "silenceTimeoutSeconds" | "endSilenceMs"
>;

/** How the far side may be reached: owners' own connections pass the address guard, the installation's may lead anywhere. */
export type CarrierWays = {
  readonly fetch: GuardedFetch;
  /** Of what is connected to in another way (a WebSocket): judged for each connect. */
  readonly policy: AddressPolicy;
  readonly resolve: ResolveName;
};

/** What every carrier is given by the process that opens it. */
export type CarrierSurroundings = {
  /** Goes with each dial; drawn once. */
  readonly installation: string;
  /** Of this process, the same after a restart of it under the same name. */
  readonly processId: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly sink: CarrierEventSink;
  readonly conversations: Conversations;
  /** By the log, read anew. */
  readonly standingOf: (callId: CallId) => Promise<CallStanding>;
  /** How many sessions of this call have begun, by the log, read anew. */
  readonly sessionsBegun: (callId: CallId) => Promise<number>;
  /** null: the call is from before conversations were pinned, or unknown. */
  readonly speakerOf: (callId: CallId) => Promise<CallSpeaker | null>;
  /** Where the outside finds this service, without a slash at its end; asked when it is needed, because it may not be known at the start. */
  readonly publicUrl: () => string;
};

type OpenOptions<Settings> = CarrierSurroundings & {
  readonly connection: CarrierConnection;
  readonly settings: Settings;
  /** Password or token. */
  readonly secret: string;
  readonly ways: CarrierWays;
};

export type OpenTwilioOptions = OpenOptions<TwilioSettings>;
export type OpenAsteriskOptions = OpenOptions<AsteriskSettings>;
