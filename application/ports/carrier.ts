import type { CallOfTheCarrier, CarrierKind, CarrierRef } from "../../domain/call/carrier-identity.ts";
import type { MessageRole } from "../../domain/call/conversation-events.ts";
import type { EndReason } from "../../domain/call/end-reason.ts";
import type { AnsweredBy, EndedBy, VoicemailPolicy } from "../../domain/call/events.ts";
import type { PinnedAssistant } from "../../domain/call/pinned.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { JsonValue } from "../../domain/shared/json.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { RequestEntrance, SocketEntrance } from "./entrances.ts";

/** What a carrier can do, depending on its kind and settings. */
export type CarrierAbilities = {
  /** For this long the carrier itself refuses a second dial of the same call; 0: never. */
  readonly dialOnceForMillis: number;
  readonly answersMachineVerdict: boolean;
  readonly records: boolean;
  /** A lost session can be opened again, on any process. */
  readonly resumes: boolean;
  /** Dials a second that it accepts; null: no limit. */
  readonly callsPerSecond: number | null;
};

/** A call that the carrier is asked about. */
export type CarrierCall = {
  readonly callId: CallId;
  readonly carrierRef: CarrierRef | null;
  /** The carrier instance of its dial (`CallDialingBegan.carrier`); null: older than that field. */
  readonly instance: string | null;
  /** Not dialled after. */
  readonly dialBy: Instant;
};

export type PlaceCall = {
  readonly callId: CallId;
  readonly owner: OwnerId;
  /** Shown by telephones that can show it. */
  readonly assistantName: string;
  readonly from: PhoneNumber;
  readonly to: PhoneNumber;
  readonly ringTimeoutSeconds: number;
  readonly maxDurationSeconds: number;
  /** Decides what has to be detected about an answering machine. */
  readonly voicemailPolicy: VoicemailPolicy;
  /** Whether the carrier records it. */
  readonly recorded: boolean;
  /** The callee is not rung after this. */
  readonly dialBy: Instant;
};

/** A call of the carrier's account without our id. */
export type UnnamedCall = Omit<CallOfTheCarrier, "callId"> & { readonly carrierRef?: CarrierRef };

export type CallsSince =
  | {
      readonly kind: "calls";
      readonly calls: readonly CallOfTheCarrier[];
      /** Calls of the same account without our id: they may be ours, or another program's. */
      readonly unnamed?: readonly UnnamedCall[];
    }
  /** The carrier's records are stored with our own data, and are restored with them. */
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
  /**
   * Certainly not dialled: the carrier is overloaded (by its own code for that, nothing else). The next dial
   * of this connection comes this much later.
   */
  | { readonly kind: "throttled"; readonly retryAfterMillis: number }
  /**
   * It may have been dialled: look it up, never dial again. `noAnswerAtAll`: the carrier did not answer (five
   * in a row: carrier_unavailable).
   */
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
  /** Nobody was rung and nobody will be; `proof`: how that is known, in our own words. */
  | { readonly kind: "never_dialled"; readonly proof: string }
  /** The carrier does not have the call now. */
  | { readonly kind: "absent" }
  | { readonly kind: "ambiguous" }
  | { readonly kind: "unavailable"; readonly cause: string };

/**
 * An event that the carrier sends by itself: at least once, in any order. `sequence` numbers the events of
 * one call from 1, if the carrier does (0: this one has no number); it is not an identity.
 */
export type CarrierEvent = {
  /** Identity of the event within its call: a repeat with the same key counts once. */
  readonly dedupeKey: string;
  readonly callId: CallId;
  readonly carrierRef: CarrierRef;
  readonly sequence: number;
  readonly occurredAt: Instant;
} & (
  | {
      /** The carrier's name for the call is known from here on, also when the reply to the dial was lost. */
      readonly type: "accepted";
    }
  | { readonly type: "ringing" }
  | { readonly type: "answered"; readonly answeredBy: AnsweredBy }
  /**
   * Who answered, as judged by the carrier; `greetingEnded`: the machine's greeting is
   * over (beep or silence).
   */
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
      /** null: nobody answered. A time here implies an answer that was missed. */
      readonly answeredAt: Instant | null;
      readonly answeredBy: AnsweredBy | null;
      readonly recordingExpected: boolean;
      readonly carrierCode: string | null;
    }
);

/**
 * Resolves when the event is durable (then the carrier gets its 2xx), and rejects when it is not: the carrier
 * then repeats it. Late and repeated events resolve and change nothing.
 */
export type CarrierEventSink = (event: CarrierEvent) => Promise<void>;

export type CarrierRecording =
  | { readonly kind: "found"; readonly contentType: string; readonly bytes: AsyncIterable<Uint8Array> }
  /** It is gone for good, or never existed. */
  | { readonly kind: "absent" }
  | { readonly kind: "unavailable"; readonly cause: string };

/** A carrier at one connection. Failures of the carrier are values; nothing here throws for them. */
export interface Carrier {
  readonly kind: CarrierKind;
  readonly can: CarrierAbilities;
  /**
   * The carrier's current instance (account sid, RF_SINCE, id of the simulator's journal); null: unknown,
   * and nobody is dialled.
   */
  instance(): Promise<string | null>;
  /**
   * `sendBy` (monotonic clock) is checked right before the write: later nothing is sent and the outcome is
   * unknown. Gives up 10 s after the call of this function.
   */
  placeCall(call: PlaceCall, sendBy: number): Promise<PlaceCallResult>;
  hangUp(call: CarrierCall): Promise<HangUpResult>;
  /** Another instance than that of the dial answers `ambiguous`, never `absent`. */
  lookup(call: CarrierCall): Promise<LookupResult>;
  /**
   * Calls of this installation that the carrier has accepted since then, each once, in their order.
   * Refused ones are left out.
   */
  callsSince(since: Instant): Promise<CallsSince>;
  recording(recordingRef: string): Promise<CarrierRecording>;
  /** Deletes the carrier's copy; a missing one counts as done. */
  deleteRecording(recordingRef: string): Promise<"done" | "unavailable">;
  /** Whether the carrier answers at all. */
  available(): Promise<boolean>;
  /**
   * Why nobody can be dialled now, as far as this process knows it without asking for it: a sentence of
   * ours. null: nothing is known against a dial. Waits at most 5 s, and only where the line was opened just
   * now.
   */
  refuses(): Promise<string | null>;
}

/** An open carrier, with the routes that the API mounts for it and its connection check. */
export type OpenCarrier = {
  readonly carrier: Carrier;
  readonly sockets: readonly SocketEntrance[];
  readonly requests: readonly RequestEntrance[];
  /** Sends real requests to the other side (docs/connections.md). */
  check(): Promise<readonly CarrierFinding[]>;
  /** Accepts no new conversation and closes the open ones, so that another process may continue them. */
  leave(): void;
  stop(): Promise<void>;
};

export type CarrierFinding = {
  readonly name: string;
  readonly ok: boolean;
  /** A sentence of ours, without secrets: the problem and what to do. */
  readonly detail: string;
};
