import type { CarrierEvent } from "../../application/ports/carrier.ts";
import type { Metrics } from "../../application/ports/metrics.ts";

/** SIP answers that docs/asterisk.md and docs/twilio.md name. A trunk may answer any other number: those are counted together, so that series stay few. */
const NAMED: ReadonlySet<string> = new Set(
  [
    401, 403, 404, 407, 408, 410, 480, 484, 486, 487, 488, 500, 502, 503, 504, 600, 603, 604, 606, 607, 608,
  ].map(String),
);

/** Counts a call that the carrier ended before anybody answered, by its own code. */
export function countRefusal(
  metrics: Pick<Metrics, "count">,
  carrier: "asterisk" | "twilio",
  { answeredAt, carrierCode }: Pick<Extract<CarrierEvent, { type: "ended" }>, "answeredAt" | "carrierCode">,
): void {
  if (answeredAt !== null || carrierCode === null) return;
  const code = NAMED.has(carrierCode) ? carrierCode : "other";
  metrics.count("ringfold_carrier_refusals_total", { carrier, code });
}
