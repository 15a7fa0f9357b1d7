import type { CarrierKind, CarrierRef } from "../../domain/call/carrier-identity.ts";
import type { MessageRole } from "../../domain/call/conversation-events.ts";
import type { EndReason } from "../../domain/call/end-reason.ts";
import type { AnsweredBy, EndedBy, VoicemailPolicy } from "../../domain/call/events.ts";
import type { PinnedAssistant } from "../../domain/call/pinned.ts";
import type { CallOfTheCarrier } from "../../domain/campaign/commands.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { JsonValue } from "../../domain/shared/json.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { RequestEntrance, SocketEntrance } from "./entrances.ts";

/** What a carrier can do, by its kind and its settings. */
export type CarrierAbilities = {
  /** A second dial of the same call is refused by the carrier itself for so long; 0: never. */
  readonly dialOnceForMillis: number;
  readonly answersMachineVerdict: boolean;
  readonly records: boolean;
  /** A session that was lost comes back, on any process. */
  readonly resumes: boolean;
  /** Dials a second that it takes; null: as many as come. */
  readonly callsPerSecond: number | null;
};

/** One call, as it is asked about. */
export type CarrierCall = {
  readonly callId: CallId;
  readonly carrierRef: CarrierRef | null;
  /** The far side that it was dialled on (`CallDialingBegan.carrier`); null: stored before there were several. */
  readonly instance: string | null;
  /** Not dialled after. */
  readonly dialBy: Instant;
};

export type PlaceCall = {
  readonly callId: CallId;
  readonly owner: OwnerId;
  /** Who calls, for a telephone that can show it. */
  readonly assistantName: string;
  readonly from: PhoneNumber;
  readonly to: PhoneNumber;
  readonly ringTimeoutSeconds: number;
  readonly maxDurationSeconds: number;
  /** What is to be known of a machine that answers. */
  readonly voicemailPolicy: VoicemailPolicy;
  /** Whether the carrier is to record it. */
  readonly recorded: boolean;
  /** The person is not rung after. */
  readonly dialBy: Instant;
};

/** A call of the carrier's account without a name of ours. */
export type UnnamedCall = Omit<CallOfTheCarrier, "callId"> & { readonly carrierRef?: CarrierRef };

export type CallsSince =
  | {
      readonly kind: "calls";
      readonly calls: readonly CallOfTheCarrier[];
      /** Calls of the same account that bear no name of ours: they may be ours, or another program's. */
      readonly unnamed?: readonly UnnamedCall[];
    }
  /** What it remembers lies with our own data, and goes back with them. */
  | { readonly kind: "no_witness" }
  | { readonly kind: "unavailable"; readonly cause: string };

export type PlaceCallResult =
  | { readonly kind: "accepted"; readonly carrierRef: CarrierRef }
  /** Certainly not dialled; `noAnswerAtAll` as below (a refused connection). */
  | {
      readonly kind: "rejected";
      readonly endReason: EndReason;
      readonly carrierCode: string | null;
      readonly message: string;
      readonly noAnswerAtAll: boolean;
    }
  /** Certainly not dialled: the carrier has too much to do (its own code for that, nothing else), and takes the next dial of this connection so much later. */
  | { readonly kind: "throttled"; readonly retryAfterMillis: number }
  /** It may have been dialled: look it up, never dial again. `noAnswerAtAll`: the carrier did not answer (five in a row: carrier_unavailable). */
  | { readonly kind: "unknown"; readonly cause: string; readonly noAnswerAtAll: boolean };

export type HangUpResult = "done" | "already_ended" | "unknown";

export type LookupResult =
  | {
      readonly kind: "found";
      readonly carrierRef: CarrierRef;
      readonly status: "ringing" | "connected" | "in_progress" | "ended";
      readonly endReason: EndReason | null;
      readonly endedAt: Instant | null;
      readonly answeredAt: Instant | null;
      readonly answeredBy: AnsweredBy | null;
      readonly endedBy: EndedBy | null;
      readonly recordingRef: string | null;
    }
  /** Nobody was rung, and nobody will be; `proof`: how that is known, in our own words. */
  | { readonly kind: "never_dialled"; readonly proof: string }
  /** The carrier does not have it now. */
  | { readonly kind: "absent" }
  | { readonly kind: "ambiguous" }
  | { readonly kind: "unavailable"; readonly cause: string };

/**
 * What the carrier tells of its own accord: at least once, in any order. `sequence` numbers the events of one call from 1, where the carrier does (0:
 * it does not number this one); it identifies nothing.
 */
export type CarrierEvent = {
  /** The identity of the event, unique within its call: told twice under one key it counts once. */
  readonly dedupeKey: string;
  readonly callId: CallId;
  readonly carrierRef: CarrierRef;
  readonly sequence: number;
  readonly occurredAt: Instant;
} /** The carrier has taken the call: binds its name for it, also when the reply to the dial was lost. */ & (
  | { readonly type: "accepted" }
  | { readonly type: "ringing" }
  | { readonly type: "answered"; readonly answeredBy: AnsweredBy }
  /** A verdict about who answered; `greetingEnded`: a machine's greeting is over (beep, or silence). */
  | {
      readonly type: "machine_judged";
      readonly answeredBy: AnsweredBy;
      readonly greetingEnded: boolean;
    }
  | { readonly type: "conversation_started" }
  | {
      readonly type: "message";
      readonly role: MessageRole;
      readonly assistantId: PinnedAssistant["assistantId"] | null;
      readonly content: string;
      readonly toolId?: string;
      readonly toolName?: string;
      readonly arguments?: JsonValue;
      readonly result?: JsonValue;
      readonly isError?: boolean;
    }
  | {
      readonly type: "recording";
      readonly status: "available" | "failed";
      readonly recordingRef: string | null;
    }
  | {
      readonly type: "ended";
      readonly endReason: EndReason;
      readonly endedBy: EndedBy | null;
      /** null: nobody answered. An end that says so implies the answer that was missed. */
      readonly answeredAt: Instant | null;
      readonly answeredBy: AnsweredBy | null;
      readonly recordingExpected: boolean;
      readonly carrierCode: string | null;
    }
);

/**
 * Resolves when the event is durable (then the carrier gets its 2xx) and rejects when it is not: the carrier repeats it. Late and repeated
 * ones resolve and change nothing.
 */
export type CarrierEventSink = (event: CarrierEvent) => Promise<void>;

export type CarrierRecording =
  | { readonly kind: "found"; readonly contentType: string; readonly bytes: AsyncIterable<Uint8Array> }
  /** It is gone for good, or there never was one. */
  | { readonly kind: "absent" }
  | { readonly kind: "unavailable"; readonly cause: string };

/** One carrier at one connection. Nothing here throws for what a carrier does; answers are values. */
export interface Carrier {
  readonly kind: CarrierKind;
  readonly can: CarrierAbilities;
  /** The far side's own name now (account sid, RF_SINCE, id of the simulator's journal); null: it cannot be had, and nobody is dialled. */
  instance(): Promise<string | null>;
  /** `sendBy` (monotonic clock): checked right before the write; later than that nothing is sent and the outcome is unknown. Gives up 10 s after it was called. */
  placeCall(call: PlaceCall, sendBy: number): Promise<PlaceCallResult>;
  hangUp(call: CarrierCall): Promise<HangUpResult>;
  /** Another far side than the one that it was dialled on answers `ambiguous`, never `absent`. */
  lookup(call: CarrierCall): Promise<LookupResult>;
  /** The calls of this installation that the carrier has taken since then, each once, in the order of their coming. Those that it refused are left out. */
  callsSince(since: Instant): Promise<CallsSince>;
  recording(recordingRef: string): Promise<CarrierRecording>;
  /** The copy at the carrier; one that is not there counts as done. */
  deleteRecording(recordingRef: string): Promise<"done" | "unavailable">;
  /** Whether the carrier answers at all. */
  available(): Promise<boolean>;
}

/** An open carrier with what the api mounts for it, and what the outside may ask of it. */
export type OpenCarrier = {
  readonly carrier: Carrier;
  readonly sockets: readonly SocketEntrance[];
  readonly requests: readonly RequestEntrance[];
  /** Really asks the other side (docs/connections.md). */
  check(): Promise<readonly CarrierFinding[]>;
  /** Takes no new conversation and leaves those that are open: another process may go on with them. */
  leave(): void;
  stop(): Promise<void>;
};

export type CarrierFinding = {
  readonly name: string;
  readonly ok: boolean;
  /** A sentence of ours, without secrets: what is wrong and what to do. */
  readonly detail: string;
};
