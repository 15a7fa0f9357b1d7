import type { LookupResult } from "../../application/ports/carrier.ts";
import { instantFromMillis } from "../../domain/shared/instant.ts";
import type { Step } from "./timeline.ts";

export type Found = Extract<LookupResult, { kind: "found" }>;

/** The answer to a look-up at that moment. */
export function foundAt(
  live: { readonly carrierRef: string; readonly steps: readonly Step[] },
  nowMillis: number,
): Found {
  const past = live.steps.filter((step) => step.atMillis <= nowMillis);
  const answered = past.find((step) => step.body.type === "answered");
  const ended = past.find((step) => step.body.type === "ended");
  const end = ended?.body.type === "ended" ? ended.body : null;
  return {
    kind: "found",
    carrierRef: live.carrierRef,
    status: end !== null ? "ended" : answered !== undefined ? "connected" : "ringing",
    endReason: end?.endReason ?? null,
    endedAt: ended === undefined ? null : instantFromMillis(ended.atMillis),
    answeredAt: answered === undefined ? null : instantFromMillis(answered.atMillis),
    answeredBy: answered?.body.type === "answered" ? answered.body.answeredBy : null,
    endedBy: end?.endedBy ?? null,
    recordingRef: end?.recordingExpected === true ? live.carrierRef : null,
  };
}
