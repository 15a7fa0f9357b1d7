import type { CarrierEventSink } from "../../application/ports/carrier.ts";
import type { Clock } from "../../application/ports/clock.ts";
import type { Logger } from "../../application/ports/logger.ts";
import type { Metrics } from "../../application/ports/metrics.ts";
import type { PinnedSpeaker } from "../../application/ports/pinned-conversations.ts";
import type { Conversations } from "../../application/ports/voice-session.ts";
import type { AsteriskSettings, TwilioSettings } from "../../contract/connection-settings.ts";
import type { CallId, ConnectionId, OwnerId } from "../../domain/shared/ids.ts";
import type { AddressPolicy, ResolveName } from "../http/address-guard.ts";
import type { GuardedFetch } from "../http/guarded-fetch.ts";
import type { CallLiveness } from "../voice/relay/relay-entrance.ts";

/** Identifies the connection to open. */
export type CarrierConnection = {
  /**
   * Its name in metrics, logs and admission: the connection's id, or the kind for the installation's default.
   */
  readonly key: string;
  /** null: the installation's default. */
  readonly connectionId: ConnectionId | null;
  /** null: the installation's default, for every owner. */
  readonly owner: OwnerId | null;
};

/** The current speaker of a call, from the pinned conversation. */
export type CallSpeaker = Pick<
  PinnedSpeaker,
  "assistantId" | "language" | "voice" | "interruptible" | "silenceTimeoutSeconds" | "endSilenceMs"
>;

/**
 * How the other side may be reached: owners' own connections pass the address guard, the installation's
 * defaults may use any address.
 */
export type CarrierEgress = {
  readonly fetch: GuardedFetch;
  /** For other clients (a WebSocket): checked at each connect. */
  readonly policy: AddressPolicy;
  readonly resolve: ResolveName;
};

/** Context that a process gives to every carrier it opens. */
export type CarrierContext = {
  /** Id of the installation, sent with each dial; drawn once. */
  readonly installation: string;
  /** Name of this process, the same after a restart with the same name. */
  readonly processId: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly sink: CarrierEventSink;
  readonly conversations: Conversations;
  /** From the log, read anew. */
  readonly livenessOf: (callId: CallId) => Promise<CallLiveness>;
  /** How many sessions of this call have begun, from the log, read anew. */
  readonly sessionsBegun: (callId: CallId) => Promise<number>;
  /** The carrier was told where to open the next session of this call. */
  readonly sessionIsDue: (callId: CallId) => Promise<void>;
  /** null: the call is older than pinned conversations, or unknown. */
  readonly speakerOf: (callId: CallId) => Promise<CallSpeaker | null>;
  /**
   * Public address of this service, without a trailing slash; a function, because it may not
   * be known at the start.
   */
  readonly publicUrl: () => string;
};

export type OpenOptions<Settings> = CarrierContext & {
  readonly connection: CarrierConnection;
  readonly settings: Settings;
  /** Password or token. */
  readonly secret: string;
  readonly egress: CarrierEgress;
};

export type OpenTwilioOptions = OpenOptions<TwilioSettings>;
export type OpenAsteriskOptions = OpenOptions<AsteriskSettings>;
