import { queryOptions } from "@tanstack/react-query";
import { get, post } from "../../api/request.ts";

export const KINDS = [
  "call.started",
  "call.ended",
  "campaign.started",
  "campaign.paused",
  "campaign.resumed",
  "campaign.completed",
  "campaign.cancelled",
] as const;

/** The kinds of an endpoint that names none. */
export const DEFAULT_KINDS: readonly string[] = ["call.started", "call.ended"];

export type Webhook = {
  readonly url: string;
  readonly enabled: boolean;
  readonly events: readonly string[];
  readonly status: "enabled" | "disabled" | "misconfigured";
  readonly disabledReason: "manual" | "gone" | "failing" | null;
  readonly pending: number;
  readonly held: number;
  readonly dead: number;
  readonly oldestUndeliveredAt: string | null;
};

export type SentTest = {
  /** null: no answer came, `detail` says why. */
  readonly status: number | null;
  readonly ms: number;
  readonly detail: string | null;
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string };
  readonly response: string | null;
};

export type RotatedSecret = { readonly secret: string; readonly previousValidUntil: string | null };

/** null: no endpoint was ever set. Deliveries are not events of the feed, so it is polled. */
export const webhookQuery = queryOptions({
  queryKey: ["webhook"],
  queryFn: ({ signal }) => get<Webhook | null>("/api/v1/webhook", signal),
  refetchInterval: 5_000,
});

/** Requested only for an existing endpoint, because the request would create a secret. */
export const secretQuery = queryOptions({
  queryKey: ["webhook", "secret"],
  queryFn: async () => (await post<{ readonly secret: string }>("/api/v1/webhook/secret")).secret,
  staleTime: 60_000,
});
