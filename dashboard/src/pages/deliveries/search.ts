import type { DeliveryRecord } from "../../../../contract/delivery.ts";
import { ALL_KINDS, type WebhookEventKind } from "../../../../domain/webhook/kinds.ts";

export const STATUSES = [
  "pending",
  "sending",
  "delivered",
  "retrying",
  "held",
  "dead",
] as const satisfies readonly DeliveryRecord["status"][];

export type Filter = {
  readonly event?: WebhookEventKind | undefined;
  readonly status?: DeliveryRecord["status"] | undefined;
  readonly callId?: string | undefined;
};

/** State of the page in its URL; `id`: the open delivery. */
export type DeliverySearch = Filter & { readonly id?: string | undefined };

/**
 * Parses a URL, which anybody may have written; what is not known is undefined, because the router keeps what
 * is left out.
 */
export function deliverySearchOf(search: Readonly<Record<string, unknown>>): DeliverySearch {
  const text = (name: string) => {
    const value = search[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const event = ALL_KINDS.find((kind) => kind === search["event"]);
  const status = STATUSES.find((each) => each === search["status"]);
  return { event, status, callId: text("callId"), id: text("id") };
}
