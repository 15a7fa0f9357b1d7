import type { Clock } from "../../application/ports/clock.ts";
import type { Metrics } from "../../application/ports/metrics.ts";
import type { GuardedFetch } from "../http/guarded-fetch.ts";

/** An OpenAI-compatible server for speech. */
export type SpeechServer = {
  /** With its version, without a trailing slash. */
  readonly baseUrl: string;
  /** null: it needs none. */
  readonly apiKey: string | null;
  readonly fetch: GuardedFetch["fetch"];
  readonly clock: Pick<Clock, "sleep">;
  readonly metrics: Pick<Metrics, "count">;
};
