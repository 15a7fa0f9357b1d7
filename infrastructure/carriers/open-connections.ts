import type { OpenCarrier } from "../../application/ports/carrier.ts";
import type { CarrierDetails } from "../../application/ports/configuration/connections.ts";
import type { Logger } from "../../application/ports/logger.ts";
import type { Egress } from "../connections/egress.ts";
import { type CarrierFactories, openByKind } from "./carrier-factories.ts";
import type { CarrierConnection, CarrierContext, CarrierEgress } from "./open-carrier-options.ts";

export type OpenConnectionsDeps = {
  readonly factories: CarrierFactories;
  readonly context: CarrierContext;
  readonly egress: Egress;
  readonly logger: Logger;
};

type Opened = {
  readonly connection: CarrierConnection;
  /** Settings whose change needs a new connection. */
  readonly settings: string;
  readonly carrier: Promise<OpenCarrier>;
};

/** The connections that this process has open, each once. */
export type OpenConnections = {
  /** Opens it if needed, and anew when its address or secret has changed. A changed pace does not matter. */
  readonly get: (connection: CarrierConnection, details: CarrierDetails) => Promise<OpenCarrier>;
  readonly all: () => readonly CarrierConnection[];
  readonly close: (key: string) => void;
  /** No connection takes a new conversation. */
  readonly leave: () => void;
  readonly stop: () => Promise<void>;
};

export function createOpenConnections(deps: OpenConnectionsDeps): OpenConnections {
  const opened = new Map<string, Opened>();
  const closing = new Set<Promise<void>>();
  let left = false;

  const close = (key: string) => {
    const former = opened.get(key);
    if (former === undefined) return;
    opened.delete(key);
    const closed = closeCarrier(deps.logger, former).finally(() => closing.delete(closed));
    closing.add(closed);
  };

  const open = (connection: CarrierConnection, details: CarrierDetails, settings: string) => {
    const carrier = openBy(deps, connection, details);
    opened.set(connection.key, { connection, settings, carrier });
    carrier.then(
      (ready) => {
        if (left) ready.leave();
      },
      () => {
        if (opened.get(connection.key)?.carrier === carrier) opened.delete(connection.key);
      },
    );
    return carrier;
  };

  return {
    get: (connection, details) => {
      const settings = lastingSettings(details);
      const known = opened.get(connection.key);
      if (known?.settings === settings) return known.carrier;
      close(connection.key);
      return open(connection, details, settings);
    },
    all: () => [...opened.values()].map(({ connection }) => connection),
    close,
    leave: () => {
      left = true;
      for (const { carrier } of opened.values())
        carrier.then((ready) => ready.leave()).catch(() => undefined);
    },
    stop: async () => {
      for (const key of [...opened.keys()]) close(key);
      await Promise.all(closing);
    },
  };
}

function lastingSettings({ kind, settings, secrets }: CarrierDetails): string {
  return JSON.stringify({
    kind,
    ...settings,
    callsPerSecond: null,
    maxConcurrentCalls: null,
    ...secrets,
  });
}

function openBy(
  { factories, context, egress }: OpenConnectionsDeps,
  connection: CarrierConnection,
  details: CarrierDetails,
): Promise<OpenCarrier> {
  const options = { ...context, connection, egress: egressFor(egress, connection) };
  return openByKind(factories, options, details);
}

/** The installation's defaults may use any address, an owner's only what the address guard allows. */
function egressFor(egress: Egress, { owner }: CarrierConnection): CarrierEgress {
  const { resolve } = egress;
  return owner === null
    ? { fetch: egress.ofInstallation, policy: egress.anywhere, resolve }
    : { fetch: egress.ofOwners, policy: egress.policy, resolve };
}

async function closeCarrier(logger: Logger, { connection, carrier }: Opened): Promise<void> {
  try {
    const ready = await carrier;
    ready.leave();
    await ready.stop();
  } catch (error) {
    logger.warn({ connection: connection.key, error }, "a carrier was not closed in order");
  }
}
