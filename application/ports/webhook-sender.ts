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

export type SentAttempt = {
  readonly result: GuardedResult;
  readonly headers: Readonly<Record<string, string>>;
  readonly secretId: string;
};
