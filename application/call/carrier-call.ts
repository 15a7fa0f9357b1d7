import type { CarrierIdentity } from "../../domain/call/carrier-identity.ts";
import type { CallState } from "../../domain/call/state.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import type { Carrier, CarrierCall } from "../ports/carrier.ts";
import type { Carriers } from "../ports/carriers.ts";

/** A dialled call: which carrier to ask about it, and how. */
export type DialledCall = {
  readonly owner: OwnerId;
  readonly identity: CarrierIdentity | null;
  readonly call: CarrierCall;
};

/** null: the call does not exist. */
export function dialledCall(
  callId: CallId,
  { owner, carrier: identity, carrierRef, dialBy }: CallState,
): DialledCall | null {
  if (owner === null || dialBy === null) return null;
  return { owner, identity, call: { callId, carrierRef, instance: identity?.instance ?? null, dialBy } };
}

/** The carrier of its dial; null: that connection is not configured any more. */
export function carrierOf(
  carriers: Pick<Carriers, "dialledOn">,
  { owner, identity }: DialledCall,
): Promise<Carrier | null> {
  return carriers.dialledOn(owner, identity);
}
