import type { DeliverySearch } from "./delivery-api.ts";

/** Parses a URL, which anybody may have written. */
export function deliverySearchOf(search: Readonly<Record<string, unknown>>): DeliverySearch {
  const names = ["event", "status", "callId", "id"] as const;
  const given = names.map((name) => [name, search[name]] as const);
  return Object.fromEntries(given.filter(([, value]) => typeof value === "string" && value !== ""));
}
