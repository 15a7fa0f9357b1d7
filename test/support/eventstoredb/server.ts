import { ServerFeaturesService } from "@eventstore/db-client/generated/serverfeatures_grpc_pb.js";
import features from "@eventstore/db-client/generated/serverfeatures_pb.js";
import type shared from "@eventstore/db-client/generated/shared_pb.js";
import { StreamsService } from "@eventstore/db-client/generated/streams_grpc_pb.js";
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from "@grpc/grpc-js";
import { handleAppend } from "./append-handler.ts";
import { handleBatchAppend } from "./batch-append-handler.ts";
import { handleDelete, handleTombstone } from "./delete-handlers.ts";
import { createFaultState, type Faults } from "./faults.ts";
import { createLog, type EventStoreDbLog } from "./log.ts";
import { handleRead } from "./read-handler.ts";
import { type NodeSpeed, UNHURRIED } from "./slow-node.ts";
import { createWriter } from "./writer.ts";

export type EventStoreDbServerOptions = {
  /** Default: a free one. */
  readonly port?: number;
  /** How long an append is in flight before it is stored (default 0). */
  readonly commitDelayMs?: number;
  /** After this a duplicate in flight is answered with a timeout (default 2,000, as the node). */
  readonly commitTimeoutMs?: number;
  /** Default: as fast as the machine. */
  readonly speed?: NodeSpeed;
};

/** How many calls of each kind have come in, restarts included. */
export type CallCounts = {
  append: number;
  /** Appends that were stored already, or were in flight, when they came again. */
  repeated: number;
  batchAppend: number;
  read: number;
  /** Reads and subscriptions that only the leader may answer. */
  readOfLeader: number;
  maxAppendsAtOnce: number;
  /** Messages of reads and subscriptions that were sent. */
  sent: number;
};

export interface EventStoreDbServer {
  /** `esdb://127.0.0.1:PORT?tls=false` */
  readonly url: string;
  readonly faults: Faults;
  readonly log: EventStoreDbLog;
  readonly counts: Readonly<CallCounts>;
  /** Reads and subscriptions that are open now. */
  openStreams(): number;
  /** Dies as by kill -9 and comes back on the same port with everything that was committed. */
  restart(): Promise<void>;
  /** Dies as by kill -9. */
  kill(): void;
  /** Comes back after `kill`. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/**
 * A single EventStoreDB 23.10 node as its official client sees it: the protocol on gRPC, the log in memory.
 */
export async function startEventStoreDbServer(
  options: EventStoreDbServerOptions = {},
): Promise<EventStoreDbServer> {
  const log = createLog();
  const state = createFaultState();
  const counts: CallCounts = {
    append: 0,
    repeated: 0,
    batchAppend: 0,
    read: 0,
    readOfLeader: 0,
    maxAppendsAtOnce: 0,
    sent: 0,
  };
  const writer = createWriter(log, state, {
    commitDelayMs: options.commitDelayMs ?? 0,
    commitTimeoutMs: options.commitTimeoutMs ?? 2_000,
    speed: options.speed ?? UNHURRIED,
    onRepeated: () => {
      counts.repeated += 1;
    },
  });
  let port = options.port ?? 0;
  let running: Server | undefined;

  const build = (): Server => {
    const server = new Server({
      "grpc.max_receive_message_length": MAX_MESSAGE_BYTES,
      "grpc.max_send_message_length": -1,
    });
    const currentPort = (): number => port;
    const append = handleAppend(state, writer, currentPort);
    const batch = handleBatchAppend(state, writer, currentPort);
    const read = handleRead(state, log, currentPort, () => {
      counts.sent += 1;
    });
    let open = 0;
    server.addService(StreamsService, {
      append: (call: Parameters<typeof append>[0], reply: Parameters<typeof append>[1]) => {
        counts.append += 1;
        open += 1;
        counts.maxAppendsAtOnce = Math.max(counts.maxAppendsAtOnce, open);
        call.once("close", () => {
          open -= 1;
        });
        append(call, reply);
      },
      batchAppend: (call: Parameters<typeof batch>[0]) => {
        counts.batchAppend += 1;
        batch(call);
      },
      read: (call: Parameters<typeof read>[0]) => {
        counts.read += 1;
        if (call.metadata.get("requires-leader").includes("true")) counts.readOfLeader += 1;
        read(call);
      },
      delete: handleDelete(log),
      tombstone: handleTombstone(log),
    });
    server.addService(ServerFeaturesService, { getSupportedMethods });
    return server;
  };

  const start = async (): Promise<void> => {
    const server = build();
    port = await bind(server, port);
    running = server;
  };
  const kill = (): void => {
    running?.forceShutdown();
    running = undefined;
    writer.abandon();
  };

  await start();
  return {
    url: `esdb://127.0.0.1:${port}?tls=false`,
    faults: state.faults,
    log,
    counts,
    openStreams: state.openStreams,
    start,
    kill,
    async restart() {
      kill();
      await start();
    },
    async stop() {
      state.faults.thaw();
      state.faults.releaseCommits();
      kill();
    },
  };
}

function bind(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
}

function getSupportedMethods(
  _call: ServerUnaryCall<shared.Empty, features.SupportedMethods>,
  reply: sendUnaryData<features.SupportedMethods>,
): void {
  const methods = ["append", "batchappend", "delete", "read", "tombstone"].map((name) =>
    new features.SupportedMethod().setServiceName("event_store.client.streams.Streams").setMethodName(name),
  );
  reply(null, new features.SupportedMethods().setEventStoreServerVersion("23.10.8").setMethodsList(methods));
}
