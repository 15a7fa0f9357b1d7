import type { CarrierIdentity } from "../../domain/call/events.ts";
import type { ConnectionId, OwnerId } from "../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { ConnectionTurn } from "./admission.ts";
import type { Carrier } from "./carrier.ts";

/** A way out to telephones. */
export type CarrierRoute = {
  /** `key` is also the way's name in health and metrics. */
  readonly turn: ConnectionTurn;
  /** null: the installation's own. */
  readonly connectionId: ConnectionId | null;
  readonly carrier: Carrier;
};

/** The carriers of one process. What nobody configured is never opened. */
export interface Carriers {
  /** Which way a dial goes; null: nothing is configured that could take it (`CONNECTION_REQUIRED`). */
  routeOf(owner: OwnerId, connectionId: ConnectionId | null, to: PhoneNumber): Promise<CarrierRoute | null>;
  /**
   * Where a call was dialled: look-up, hang-up and recording go there only. identity null: a call from before dials stored one. null: that way is not
   * configured any more.
   */
  dialledOn(owner: OwnerId, identity: CarrierIdentity | null): Promise<Carrier | null>;
  /** Those that are open now. */
  open(): readonly CarrierRoute[];
}
