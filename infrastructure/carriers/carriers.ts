import type { Pool } from "pg";
import type { Carrier, OpenCarrier } from "../../application/ports/carrier.ts";
import type { CarrierRoute, Carriers, RouteKey } from "../../application/ports/carriers.ts";
import {
  type CarrierDetails,
  type Connections,
  installationsOwn,
  isInstallations,
} from "../../application/ports/configuration/connections.ts";
import {
  type CarrierIdentity,
  type CarrierKind,
  CONNECTED_CARRIERS,
  type ConnectedCarrier,
  isOfCarrier,
  PHONE_LINE,
} from "../../domain/call/carrier-identity.ts";
import type { ConnectionId, OwnerId } from "../../domain/shared/ids.ts";
import { createOwnerCache } from "../account/owner-cache.ts";
import type { OwnerChanges } from "../account/owner-changes.ts";
import type { CarrierConnection } from "./open-carrier-options.ts";
import type { OpenConnections } from "./open-connections.ts";

export type CarriersDeps = {
  /** Kind of the installation's default, for numbers without a connection. */
  readonly ownKind: "simulated" | ConnectedCarrier;
  /** null: it is not the installation's default. */
  readonly simulated: Carrier | null;
  readonly phoneLine: Carrier;
  /** The carrier of calls from before dials stored their connection. */
  readonly unnamed: Carrier | null;
  /** The installation's default connections. */
  readonly own: readonly CarrierDetails[];
  readonly connections: Pick<Connections, "open">;
  /** Connections of phone numbers, over all owners. */
  readonly inUse: () => Promise<readonly { readonly owner: OwnerId; readonly connectionId: ConnectionId }[]>;
  readonly changes: OwnerChanges;
  readonly open: OpenConnections;
};

export type OpenCarriers = Carriers & {
  /**
   * The carrier that answers the requests of a call's carrier and the connection check; null: it is not
   * configured (any more).
   */
  readonly openedFor: (
    owner: OwnerId,
    identity: Pick<CarrierIdentity, "kind" | "connectionId">,
  ) => Promise<OpenCarrier | null>;
};

type Line = { readonly connection: CarrierConnection; readonly details: CarrierDetails };

/** All configured carriers, opened when first needed, and closed when their connection is deleted. */
export function createCarriers(deps: CarriersDeps): OpenCarriers {
  const cache = createOwnerCache(deps.changes);
  const lineOf = (owner: OwnerId, connectionId: ConnectionId): Promise<Line | null> =>
    cache.get(owner, connectionId, () => readLine(deps, owner, connectionId));
  deps.changes.onChange((owner) => void closeDeleted(deps, owner, lineOf));
  const ownLine = (kind: CarrierKind): Line | null => {
    const details = deps.own.find((each) => each.kind === kind);
    return details === undefined
      ? null
      : { connection: { key: details.kind, connectionId: null, owner: null }, details };
  };
  const find = (owner: OwnerId, connectionId: ConnectionId | null): Promise<Line | null> | Line | null => {
    if (connectionId === null) return ownLine(deps.ownKind);
    const named = CONNECTED_CARRIERS.find((kind) => installationsOwn(kind) === connectionId);
    return named === undefined ? lineOf(owner, connectionId) : ownLine(named);
  };
  const routeKeyOf = (owner: OwnerId, connectionId: ConnectionId | null): RouteKey => ({
    key: keyOf(deps, connectionId),
    owner,
    connectionId,
  });
  const openedFor: OpenCarriers["openedFor"] = async (owner, { kind, connectionId }) => {
    const line = connectionId === null ? ownLine(kind) : await find(owner, connectionId);
    return line === null || line.details.kind !== kind ? null : deps.open.get(line.connection, line.details);
  };
  const route: Carriers["route"] = async (owner, connectionId, to) => {
    const routeKey = routeKeyOf(owner, connectionId);
    if (to === PHONE_LINE) return unlimited({ ...routeKey, key: "phone" }, deps.phoneLine);
    if (connectionId === null && deps.ownKind === "simulated")
      return deps.simulated === null ? null : unlimited(routeKey, deps.simulated);
    const line = await find(owner, connectionId);
    if (line === null) return null;
    const { carrier } = await deps.open.get(line.connection, line.details);
    return { ...routeKey, carrier, turn: { key: routeKey.key, ...paceOf(line.details) } };
  };
  return {
    routeKeyOf,
    route,
    openedFor,
    dialledOn: async (owner, identity) => {
      if (identity === null) return deps.unnamed;
      if (identity.kind === "phone") return deps.phoneLine;
      if (identity.kind === "simulated") return deps.simulated;
      return (await openedFor(owner, identity))?.carrier ?? null;
    },
    every: async () => {
      const numbers = await deps.inUse();
      const own = [deps.ownKind, ...deps.own.map(({ kind }) => kind).filter((kind) => kind !== deps.ownKind)];
      const routes = await Promise.all([
        ...own.map((kind) => route(NOBODY, kind === "simulated" ? null : installationsOwn(kind), null)),
        ...numbers
          .filter(({ connectionId }) => !isInstallations(connectionId))
          .map(({ owner, connectionId }) => route(owner, connectionId, null)),
      ]);
      return routes.filter((each) => each !== null);
    },
  };
}

/** The installation's defaults are opened for no particular owner. */
const NOBODY: OwnerId = "usr_";

function keyOf({ ownKind }: CarriersDeps, connectionId: ConnectionId | null): string {
  if (connectionId === null) return ownKind;
  return CONNECTED_CARRIERS.find((kind) => installationsOwn(kind) === connectionId) ?? connectionId;
}

function unlimited(routeKey: RouteKey, carrier: Carrier): CarrierRoute {
  const turn = { kind: carrier.kind, audio: false, callsPerSecond: null, maxConcurrentCalls: null };
  return { ...routeKey, carrier, turn: { key: routeKey.key, ...turn } };
}

function paceOf({ kind, settings }: CarrierDetails) {
  const maxConcurrentCalls = kind === "asterisk" ? settings.maxConcurrentCalls : null;
  return { kind, audio: kind === "asterisk", callsPerSecond: settings.callsPerSecond, maxConcurrentCalls };
}

async function readLine(
  { connections }: CarriersDeps,
  owner: OwnerId,
  connectionId: ConnectionId,
): Promise<Line | null> {
  const opened = await connections.open(owner, connectionId);
  if (opened === null || opened.default || !isOfCarrier(opened)) return null;
  return { connection: { key: connectionId, connectionId, owner }, details: opened };
}

/** Deleted connections are closed; changed ones are opened anew when they are needed next. */
async function closeDeleted(
  { open }: CarriersDeps,
  owner: OwnerId,
  lineOf: (owner: OwnerId, connectionId: ConnectionId) => Promise<Line | null>,
): Promise<void> {
  for (const { key, connectionId, owner: whose } of open.all()) {
    if (whose !== owner || connectionId === null) continue;
    const line = await lineOf(owner, connectionId).catch(() => undefined);
    if (line === null) open.close(key);
  }
}

/** The connections from which numbers can call. */
export async function connectionsOfNumbers(pool: Pool) {
  const { rows } = await pool.query<{ owner: OwnerId; connectionId: ConnectionId }>(
    `select distinct owner_id as owner, connection_id as "connectionId" from config.phone_numbers
      where connection_id is not null`,
  );
  return rows;
}
