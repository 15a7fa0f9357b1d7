import type { CarrierEvent } from "../../application/ports/carrier.ts";
import type { Metrics } from "../../application/ports/metrics.ts";
import type { ConnectedCarrier } from "../../domain/call/carrier-identity.ts";

type Ended = Extract<CarrierEvent, { type: "ended" }>;

/**
 * SIP responses that docs/asterisk.md and docs/twilio.md name. A trunk may send any other number; those are
 * counted together, so that there are few series.
 */
const NAMED: ReadonlySet<string> = new Set(
  [
    300, 301, 302, 305, 380, 401, 403, 404, 407, 408, 410, 480, 484, 486, 487, 488, 500, 502, 503, 504, 600,
    603, 604, 606, 607, 608,
  ].map(String),
);
/** We cancelled it, or our own dialplan refused it: not a refusal by the other side. */
const OURS: ReadonlySet<Ended["endReason"]> = new Set(["canceled", "not_placed"]);

/** Counts a call that the other side ended before an answer, by its own code. */
export function countRefusal(
  metrics: Pick<Metrics, "count">,
  carrier: ConnectedCarrier,
  { answeredAt, carrierCode, endReason }: Pick<Ended, "answeredAt" | "carrierCode" | "endReason">,
): void {
  if (answeredAt !== null || carrierCode === null || OURS.has(endReason)) return;
  const code = NAMED.has(carrierCode) ? carrierCode : "other";
  metrics.count("ringfold_carrier_refusals_total", { carrier, code });
}
