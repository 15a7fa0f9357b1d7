import type { CarrierIdentity } from "../../domain/call/carrier-identity.ts";
import type { ConnectionId, OwnerId } from "../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { ConnectionTurn } from "./admission.ts";
import type { Carrier } from "./carrier.ts";

/** What an owner's number calls through. */
export type CarrierWay = {
  /** Names it in admission, health and metrics: the connection's id; the kind for the installation's own. */
  readonly key: string;
  /** Whoever calls through it first, where it is the installation's own. */
  readonly owner: OwnerId;
  /** null: the installation's own. */
  readonly connectionId: ConnectionId | null;
};

export type CarrierRoute = CarrierWay & {
  readonly turn: ConnectionTurn;
  readonly carrier: Carrier;
};

/** The carriers of one process. What nobody configured is never opened, and what nobody asks for is not either. */
export interface Carriers {
  wayOf(owner: OwnerId, connectionId: ConnectionId | null): CarrierWay;
  /**
   * Where a dial to this number goes (null: to any number that is not the phone line). null: nothing is configured that could take it
   * (CONNECTION_REQUIRED).
   */
  route(
    owner: OwnerId,
    connectionId: ConnectionId | null,
    to: PhoneNumber | null,
  ): Promise<CarrierRoute | null>;
  /**
   * Where a call was dialled: look-up, hang-up and recording go there only. identity null: a call from before dials stored one. null: that connection is
   * not configured any more.
   */
  dialledOn(owner: OwnerId, identity: CarrierIdentity | null): Promise<Carrier | null>;
  /** All that are configured, the installation's own and those that a number calls through: opened for the question. The phone line is none of them. */
  every(): Promise<readonly CarrierRoute[]>;
}
