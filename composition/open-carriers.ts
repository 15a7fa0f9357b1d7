import { createCarrierEventSink } from "../application/call/carrier-events.ts";
import { withMilestones } from "../application/campaign/telling/milestones.ts";
import { type Calls, createAggregates, DECIDERS } from "../application/log/aggregates.ts";
import { callStream } from "../application/log/stream-names.ts";
import { openPhoneLine } from "../application/phone/phone-line.ts";
import { withPhoneLine } from "../application/phone/phone-telephony.ts";
import type { CarrierEventSink } from "../application/ports/carrier.ts";
import type { Carriers } from "../application/ports/carriers.ts";
import type { ConnectionChecks } from "../application/ports/connection-checks.ts";
import type { Conversations } from "../application/ports/voice-session.ts";
import { SESSION_GONE_LIMIT_MILLIS } from "../domain/call/deadlines.ts";
import type { OwnerId } from "../domain/shared/ids.ts";
import { plusMillis } from "../domain/shared/instant.ts";
import {
  type CarrierOfCall,
  carrierRequests,
  carrierSockets,
} from "../infrastructure/carriers/carrier-entrances.ts";
import { carrierFactories } from "../infrastructure/carriers/carrier-factories.ts";
import {
  connectionsOfNumbers,
  createCarriers,
  type OpenCarriers,
} from "../infrastructure/carriers/carriers.ts";
import type { CarrierContext } from "../infrastructure/carriers/open-carrier-options.ts";
import { createOpenConnections } from "../infrastructure/carriers/open-connections.ts";
import { systemClock } from "../infrastructure/clock.ts";
import { connectionChecks } from "../infrastructure/connections/connection-checks.ts";
import { systemIds } from "../infrastructure/ids.ts";
import { readInstallation } from "../infrastructure/postgres/installation.ts";
import { phoneRows } from "../infrastructure/postgres/phone-rows.ts";
import { openSpeech } from "../infrastructure/speech/open-speech.ts";
import type { Adapters } from "./open-adapters.ts";
import { callLiveness, createLateConversations, sessionsBegun, speakerOnCall } from "./open-conversations.ts";
import type { OpenTelephony } from "./open-simulator.ts";
import { processName } from "./process-name.ts";
import type { ServiceContext } from "./service-context.ts";

/** The carriers of this process, and the aggregates that receive their events. */
export type CarrierLine = Awaited<ReturnType<typeof openCarrierLine>>;

/** `callbacks`: receives events of a simulated carrier; `announce`: registers that address at the carrier. */
export async function openCarrierLine(context: ServiceContext, adapters: Adapters, publicUrl: () => string) {
  const { config, stores, logger, metrics, withCrashPoints } = context;
  const { eventStore, codec, database } = stores;
  const shared = { eventStore, codec, ids: systemIds, clock: systemClock, logger };
  const campaign = await campaignDecider(config.simulator.minuteMillis);
  const created = createAggregates(shared, { ...DECIDERS, campaign });
  const aggregates = { ...created, campaigns: withMilestones(created.campaigns, logger) };
  const { calls } = aggregates;
  const conversations = createLateConversations(systemClock);
  const opening = Promise.withResolvers<Carriers>();
  const taken = createCarrierEventSink({
    ...shared,
    calls,
    carriers: { dialledOn: async (...call) => (await opening.promise).dialledOn(...call) },
  });
  const sink = withCrashPoints(taken, (ports) => ports.crashingCarrierEvents);
  const { id: installation } = await readInstallation(database.pool);
  const hearing = {
    ...shared,
    metrics,
    sink,
    conversations,
    installation,
    livenessOf: callLiveness(calls),
    sessionsBegun: sessionsBegun(calls),
  };
  const simulated = await openSimulated(context, hearing);
  const { phones, phoneLine } = openPhones(context, adapters, { sink, conversations, calls });
  const connections = openConnections(context, adapters, { ...hearing, publicUrl });
  const opened = createCarriers({
    ownKind: config.carrier,
    simulated: simulated?.telephony ?? null,
    unnamed: simulated === null ? null : withPhoneLine(simulated.telephony, phoneLine),
    phoneLine,
    own: config.carriers,
    connections: adapters.configuration.connections,
    inUse: () => connectionsOfNumbers(database.pool),
    changes: adapters.changes,
    open: connections,
  });
  const carriers = withCrashPoints(opened, (ports) => ports.crashingCarriers);
  opening.resolve(carriers);
  const carrierOf = carrierOfCall(calls, carriers);
  return {
    carriers,
    aggregates,
    conversations,
    phones,
    connectionChecks: checksWith(carriers, adapters),
    /** null: no carrier of this process calls back over HTTP. */
    callbacks: simulated?.callbacks ?? null,
    entrances: [...(simulated?.entrances ?? []), ...carrierSockets(carrierOf)],
    requestEntrances: carrierRequests(carrierOf),
    announce: (ownUrl: string) => simulated?.announce(ownUrl),
    leave: () => {
      simulated?.leave();
      connections.leave();
    },
  };
}

type Shared = Omit<CarrierContext, "processId" | "speakerOf" | "sessionIsDue" | "publicUrl">;

/** The carriers of owners' connections, opened when they are needed. */
function openConnections(
  { config, stores, logger, metrics, closing }: ServiceContext,
  adapters: Adapters,
  shared: Shared & Pick<CarrierContext, "publicUrl">,
) {
  const speechDeps = {
    egress: adapters.egress,
    clock: systemClock,
    logger,
    metrics,
    path: config.searchPath,
  };
  const connections = createOpenConnections({
    factories: carrierFactories({ speech: onceAsked(() => openSpeech(config.speech, speechDeps)) }),
    context: {
      ...shared,
      processId: processName(config),
      speakerOf: speakerOnCall({ ...stores, ...adapters }),
      sessionIsDue: (callId) =>
        adapters.admission.expectSession(callId, plusMillis(systemClock.now(), SESSION_GONE_LIMIT_MILLIS)),
    },
    egress: adapters.egress,
    logger,
  });
  closing.push(connections.stop);
  return connections;
}

/** The carrier that a request or a socket is from, by its call. */
function carrierOfCall(calls: Calls, carriers: OpenCarriers): CarrierOfCall {
  return async (callId) => {
    if (callId === null) return carriers.openedFor(NOBODY, INSTALLATIONS_TWILIO);
    const { owner, carrier } = await calls.query(
      callStream(callId),
      ({ owner, carrier }) => ({ owner, carrier }),
      { fresh: true },
    );
    return owner === null || carrier === null
      ? carriers.openedFor(NOBODY, INSTALLATIONS_TWILIO)
      : carriers.openedFor(owner, carrier);
  };
}

function checksWith(carriers: OpenCarriers, { manners, configuration, egress }: Adapters): ConnectionChecks {
  return connectionChecks({
    manners,
    ...configuration,
    egress,
    checkCarrier: async (owner, connectionId, kind) => {
      const opened = await carriers.openedFor(owner, { kind, connectionId });
      return opened === null ? null : opened.check();
    },
  });
}

/** Checks requests about no call, or about one that was never dialled. */
const INSTALLATIONS_TWILIO = { kind: "twilio", connectionId: null } as const;
const NOBODY: OwnerId = "usr_";

const MINUTE_MILLIS = 60_000;

/** With shortened minutes of the simulator: retries come sooner. */
async function campaignDecider(minuteMillis: number): Promise<typeof DECIDERS.campaign> {
  if (minuteMillis === MINUTE_MILLIS) return DECIDERS.campaign;
  const { withShortMinutes } = await import("../simulation/carrier/short-minutes.ts");
  return withShortMinutes(DECIDERS.campaign, minuteMillis);
}

/** null: it is not the installation's default, and nothing of it is loaded. */
async function openSimulated(
  { config, closing }: ServiceContext,
  shared: Shared,
): Promise<OpenTelephony | null> {
  if (config.carrier !== "simulated") return null;
  const { openTelephony } = await import("./open-simulator.ts");
  const opened = await openTelephony({ ...shared, simulator: config.simulator, dataDir: config.dataDir });
  closing.push(opened.stop);
  return opened;
}

/** The speech engines are opened when the first carrier needs them. */
function onceAsked<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | null = null;
  return () => {
    asked ??= ask();
    return asked;
  };
}

type Hearing = {
  readonly sink: CarrierEventSink;
  readonly conversations: Conversations;
  readonly calls: Calls;
};

/** The phones of this process, and the phone line that rings them. */
function openPhones(
  { stores, logger, closing }: ServiceContext,
  { notifications }: Pick<Adapters, "notifications">,
  { sink, conversations, calls }: Hearing,
) {
  const line = openPhoneLine({
    rows: phoneRows(stores.database.pool),
    notifications,
    sink,
    conversations: () => conversations,
    endReasonOf: (callId) => calls.query(callStream(callId), ({ endReason }) => endReason),
    processId: systemIds.uuid(),
    clock: systemClock,
    logger,
  });
  closing.push(line.stop);
  return { phones: line.phones, phoneLine: line.telephony };
}
