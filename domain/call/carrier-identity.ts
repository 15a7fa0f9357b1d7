import type { CallId, ConnectionId } from "../shared/ids.ts";
import type { Instant } from "../shared/instant.ts";
import type { PhoneNumber } from "../shared/phone-number.ts";

export type CarrierKind = "simulated" | "asterisk" | "twilio" | "phone";

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
