import type { ConnectionId } from "../shared/ids.ts";

export type CarrierKind = "simulated" | "asterisk" | "twilio" | "phone";

/** Which far side a call is dialled on: look-up, hang-up and recording go there only. */
export type CarrierIdentity = {
  readonly kind: CarrierKind;
  /** null: the installation's own. */
  readonly connectionId: ConnectionId | null;
  /** The far side's own name: account sid, RF_SINCE, id of the simulator's journal. */
  readonly instance: string;
};

/** Opaque name that the carrier gave its side of the call. */
export type CarrierRef = string;
