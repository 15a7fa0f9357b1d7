import type { ExchangeEnd } from "../../domain/webhook/attempt-outcome.ts";

/** Milliseconds by phase; null for phases that did not happen (a kept-alive socket, no TLS, no answer). */
export type PhaseTimes = {
  readonly dns: number | null;
  readonly connect: number | null;
  readonly tls: number | null;
  readonly firstByte: number | null;
  readonly total: number;
};

/** The decrypted secrets of an endpoint; the previous one signs until its overlap ends. */
export type EndpointSecrets = {
  readonly current: string;
  readonly previous: { readonly secret: string; readonly untilMillis: number } | null;
};

export type AttemptToSend = {
  readonly url: string;
  readonly secrets: EndpointSecrets;
  readonly eventId: string;
  readonly deliveryId: string;
  readonly number: number;
  readonly body: string;
};

/** An attempt that was sent, with how it ended. */
export type SentAttempt = {
  readonly end: ExchangeEnd;
  readonly times: PhaseTimes;
  readonly remoteAddress: string | null;
  /** The kept part of the answer, as text that can be stored; null without an answer. */
  readonly answer: string | null;
  /** The few headers of the answer that help to find a fault. */
  readonly answerHeaders: Readonly<Record<string, string>> | null;
  /** The headers that were sent. */
  readonly headers: Readonly<Record<string, string>>;
  /** Identifies the secret that signed it. */
  readonly secretId: string;
};

/** Signs an attempt at the given wall-clock time and sends it. Never rejects: every end is a value. */
export type SendAttempt = (attempt: AttemptToSend, nowMillis: number) => Promise<SentAttempt>;
