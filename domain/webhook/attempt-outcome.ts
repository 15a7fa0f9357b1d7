/**
 * How an attempt ended (the table of docs/delivery.md). `unknown`: the process died between start and record.
 */
export type AttemptClass =
  | "delivered"
  | "gone"
  | "throttled"
  | "redirect"
  | "refused"
  | "unreachable"
  | "blocked"
  | "unknown";

export type AttemptOutcome = {
  readonly class: AttemptClass;
  /** HTTP status; null when there was no answer. */
  readonly status: number | null;
  /** One short line without secrets and query strings: phase and cause, or the host of a redirect. */
  readonly detail: string | null;
  /** From `Retry-After`, at most one hour; null without it. */
  readonly retryAfterMillis: number | null;
};

/**
 * How the exchange with the receiver ended, as far as the outcome depends on it. Header
 * names are in lower case.
 */
export type ExchangeEnd =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly headers: {
        readonly location?: string | undefined;
        readonly "retry-after"?: string | undefined;
      };
    }
  | { readonly kind: "failed"; readonly phase: string; readonly reason: string }
  | { readonly kind: "blocked"; readonly reason: string };

const LONGEST_RETRY_AFTER_MILLIS = 60 * 60 * 1000;

/** Classifies the end of an exchange. `nowMillis`: the wall clock, for a `Retry-After` that names a date. */
export function outcomeOf(result: ExchangeEnd, nowMillis: number): AttemptOutcome {
  if (result.kind === "blocked")
    return { class: "blocked", status: null, detail: result.reason, retryAfterMillis: null };
  if (result.kind === "failed") {
    return {
      class: "unreachable",
      status: null,
      detail: `${result.phase}: ${result.reason}`,
      retryAfterMillis: null,
    };
  }
  const { status, headers } = result;
  const plain = { status, detail: null, retryAfterMillis: null };
  if (status >= 200 && status < 300) return { ...plain, class: "delivered" };
  if (status === 410) return { ...plain, class: "gone" };
  if (status >= 300 && status < 400)
    return { ...plain, class: "redirect", detail: redirectHost(headers.location) };
  const retryAfterMillis =
    status === 429 || status === 503 ? parseRetryAfter(headers["retry-after"], nowMillis) : null;
  return retryAfterMillis === null
    ? { ...plain, class: "refused" }
    : { ...plain, class: "throttled", retryAfterMillis };
}

/** Whether this attempt counts against the endpoint (for its breaker, its concurrency and its schedule). */
export function isFailure(outcome: AttemptClass): boolean {
  return (
    outcome === "throttled" || outcome === "redirect" || outcome === "refused" || outcome === "unreachable"
  );
}

/** Seconds or an HTTP date (RFC 9110 §10.2.3); null when it is neither. */
export function parseRetryAfter(value: string | undefined, nowMillis: number): number | null {
  const text = value?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Math.min(Number(text) * 1000, LONGEST_RETRY_AFTER_MILLIS);
  if (!/[A-Za-z]{3}/.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.min(Math.max(0, at - nowMillis), LONGEST_RETRY_AFTER_MILLIS);
}

function redirectHost(location: string | undefined): string {
  if (location === undefined) return "redirect without Location";
  return URL.canParse(location) ? `redirect to ${new URL(location).host}` : "redirect within the same host";
}
