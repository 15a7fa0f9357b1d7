import type { CallState } from "../../domain/call/state.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import type { CarrierCall } from "../ports/carrier.ts";

/** How a call that was dialled is asked about. */
export function carrierCall(
  callId: CallId,
  { carrierRef, carrier, dialBy, lastAt }: Pick<CallState, "carrierRef" | "carrier" | "dialBy" | "lastAt">,
): CarrierCall {
  const latest = dialBy ?? lastAt;
  if (latest === null) throw new Error(`${callId} was never requested`);
  return { callId, carrierRef, instance: carrier?.instance ?? null, dialBy: latest };
}
