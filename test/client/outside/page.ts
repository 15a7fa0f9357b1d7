/** What runs in a browser needs no types of Node. */
import { createClient, followEvents, RingfoldError, type WebhookEvent } from "ringfold-client";

const client = createClient({ baseUrl: location.origin, apiKey: "va_live_…", retries: 0 });

export async function showEvents(list: HTMLElement, signal: AbortSignal): Promise<void> {
  try {
    for await (const { type, occurredAt } of followEvents(client, {
      types: "CallCompleted,CallFailed",
      signal,
    }))
      list.append(`${occurredAt} ${type}`);
  } catch (error) {
    if (error instanceof RingfoldError) list.append(`${error.code} (${error.requestId})`);
  }
}

export const kindOf = ({ event }: WebhookEvent): string => event;
