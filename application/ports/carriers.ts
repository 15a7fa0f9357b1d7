import type { ConnectionTurn } from "../../domain/admission/requests.ts";
import type { CarrierIdentity } from "../../domain/call/carrier-identity.ts";
import type { ConnectionId, OwnerId } from "../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { Carrier } from "./carrier.ts";

/** The connection of an owner's number. */
export type RouteKey = {
  /**
   * Its name in admission, health and metrics: the connection's id, or the kind for the
   * installation's default.
   */
  readonly key: string;
  /** Its owner; for the installation's default connection, the owner that asks. */
  readonly owner: OwnerId;
  /** null: the installation's default connection. */
  readonly connectionId: ConnectionId | null;
};

export type CarrierRoute = RouteKey & {
  readonly turn: ConnectionTurn;
  readonly carrier: Carrier;
};

/** The carriers of one process, opened when they are first needed. */
export interface Carriers {
  routeKeyOf(owner: OwnerId, connectionId: ConnectionId | null): RouteKey;
  /**
   * Where a dial to this number goes (null: to any number except the phone line). null: no configured
   * connection can take it (CONNECTION_REQUIRED).
   */
  route(
    owner: OwnerId,
    connectionId: ConnectionId | null,
    to: PhoneNumber | null,
  ): Promise<CarrierRoute | null>;
  /**
   * The carrier of a call's dial: look-up, hang-up and recording go only there. identity null: a call from
   * before dials stored it. null: that connection is not configured any more.
   */
  dialledOn(owner: OwnerId, identity: CarrierIdentity | null): Promise<Carrier | null>;
  /**
   * All configured carriers: the installation's default and those of numbers, opened for this purpose.
   * Without the phone line.
   */
  every(): Promise<readonly CarrierRoute[]>;
}
