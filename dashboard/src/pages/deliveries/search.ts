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
  readonly event?: WebhookEventKind;
  readonly status?: DeliveryRecord["status"];
  readonly callId?: string;
};

/** State of the page in its URL; `id`: the open delivery. */
export type DeliverySearch = Filter & { readonly id?: string };

/** Parses a URL, which anybody may have written; what is not known is left out. */
export function deliverySearchOf(search: Readonly<Record<string, unknown>>): DeliverySearch {
  const text = (name: string) => {
    const value = search[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const event = ALL_KINDS.find((kind) => kind === search["event"]);
  const status = STATUSES.find((each) => each === search["status"]);
  const [callId, id] = [text("callId"), text("id")];
  return {
    ...(event === undefined ? {} : { event }),
    ...(status === undefined ? {} : { status }),
    ...(callId === undefined ? {} : { callId }),
    ...(id === undefined ? {} : { id }),
  };
}
