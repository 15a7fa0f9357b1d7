import { AnswerTooLong } from "../http/guarded-fetch.ts";
import { AddressNotAllowed } from "../http/pinned-connector.ts";

export type SpeechFailureKind =
  | "aborted"
  | "garbage"
  | "late"
  | "refused"
  | "stalled"
  | "throttled"
  | "unavailable";

/** In sentences of ours: a server's text may contain the key, or words of the customer. */
export class SpeechFailure extends Error {
  override readonly name = "SpeechFailure";
  readonly kind: SpeechFailureKind;
  /** Retry-After of a throttling server. */
  readonly retryAfterMillis: number | null;

  constructor(kind: SpeechFailureKind, message: string, retryAfterMillis: number | null = null) {
    super(message);
    this.kind = kind;
    this.retryAfterMillis = retryAfterMillis;
  }
}

export function failureOf(error: unknown, signal: AbortSignal): SpeechFailure {
  if (error instanceof SpeechFailure) return error;
  if (signal.aborted) return new SpeechFailure("aborted", "It is no longer wanted");
  if (isCausedBy(error, AddressNotAllowed))
    return new SpeechFailure("refused", "The speech server has an address that is not allowed");
  if (isCausedBy(error, AnswerTooLong) || error instanceof SyntaxError) return garbage();
  return new SpeechFailure("unavailable", "The speech server cannot be reached, or broke off");
}

export function garbage(what = "The speech server sent something that is no answer"): SpeechFailure {
  return new SpeechFailure("garbage", what);
}

/** `retryAfter`: the header, in seconds. */
export function failureOfStatus(status: number, retryAfter: string | null): SpeechFailure {
  const seconds = Number(retryAfter ?? "");
  const wait = retryAfter !== null && Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null;
  if (status === 429) return new SpeechFailure("throttled", "The speech server is asked too often", wait);
  if (status >= 500)
    return new SpeechFailure("unavailable", `The speech server answered with status ${status}`, wait);
  if (status === 401 || status === 403)
    return new SpeechFailure("refused", `The speech server refuses the key (status ${status})`);
  return new SpeechFailure("refused", `The speech server answered with status ${status}`);
}

function isCausedBy(error: unknown, kind: new (message?: string) => Error): boolean {
  if (!(error instanceof Error)) return false;
  const { cause } = error;
  return error instanceof kind || isCausedBy(cause, kind);
}
