import type { CallId, ConnectionId } from "../shared/ids.ts";
import type { Instant } from "../shared/instant.ts";
import type { PhoneNumber } from "../shared/phone-number.ts";

/** The carriers that connections lead to. */
export const CONNECTED_CARRIERS = ["twilio", "asterisk"] as const;
export type ConnectedCarrier = (typeof CONNECTED_CARRIERS)[number];

export type CarrierKind = "simulated" | "phone" | ConnectedCarrier;

/** Whether this is a connection to a carrier, or the details of one. */
export function isOfCarrier<Connection extends { readonly kind: string }>(
  connection: Connection,
): connection is Extract<Connection, { readonly kind: ConnectedCarrier }> {
  return CONNECTED_CARRIERS.some((kind) => kind === connection.kind);
}

/** Rings the open phones of its owner, whatever the connection; never given to another carrier. */
export const PHONE_LINE: PhoneNumber = "+15005550099";

/** Which carrier instance a call is dialled through. Look-up, hang-up and recording go to this one only. */
export type CarrierIdentity = {
  readonly kind: CarrierKind;
  /** null: the installation's default connection. */
  readonly connectionId: ConnectionId | null;
  /**
   * The name that the carrier side has for itself: account sid, RF_SINCE, or id of the simulator's journal.
   */
  readonly instance: string;
};

/** Opaque name that the carrier gave to its side of the call. */
export type CarrierRef = string;

/** A call as the carrier reports it. */
export type CallOfTheCarrier = {
  readonly callId: CallId;
  readonly from: PhoneNumber;
  readonly to: PhoneNumber;
  /** By the carrier's clock. */
  readonly at: Instant;
};
