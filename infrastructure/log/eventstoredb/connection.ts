import { type Credentials, EventStoreDBClient } from "@eventstore/db-client";
import type { Position } from "../../../application/ports/event-store.ts";
import { createQuietStretches, type QuietStretches } from "./quiet-stretches.ts";

export type EventStoreDbOptions = {
  /** `esdb://…` or `esdb+discover://…` */
  readonly url: string;
  /** Prefix of every stream name of this installation, for example `ringfold-`. */
  readonly prefix: string;
  /**
   * Timeout of one attempt of an append (longer with its events), of a read without progress, and of a
   * subscription without confirmation (default 5,000 ms).
   */
  readonly attemptTimeoutMillis?: number;
  /**
   * How long a call to a server that has answered before is repeated until it is Unavailable
   * (default 15,000 ms).
   */
  readonly budgetMillis?: number;
  /** Stores the position of the first event of this prefix (default: in this process only). */
  readonly origin?: OriginMemory;
  /** Default 64: more appends in flight are no faster and delay each other beyond their deadlines. */
  readonly maxAppendsInFlight?: number;
};

/**
 * A position before every event of ours, and the event at it: its id shows whether the log was restored to an
 * older state or replaced.
 */
export type KnownOrigin = { readonly position: Position; readonly eventId: string };

/** Shared by all processes of an installation, so that only one search is needed. */
export interface OriginMemory {
  load(prefix: string): Promise<KnownOrigin | null>;
  save(prefix: string, origin: KnownOrigin): Promise<void>;
}

/** What every part of the adapter needs. */
export type Connection = {
  readonly client: EventStoreDBClient;
  readonly prefix: string;
  readonly attemptTimeoutMillis: number;
  readonly patience: Patience;
  readonly maxAppendsInFlight: number;
  readonly origin: OriginMemory;
  /** What is known about the log so far. */
  readonly quiet: QuietStretches;
  /**
   * Sent with every append: the client's default path shares one set of promises in the whole process and may
   * never answer (fact 1).
   */
  readonly credentials: Credentials;
  /** Aborts when the adapter is closed. */
  readonly closing: AbortSignal;
};

export function openConnection(options: EventStoreDbOptions, closing: AbortSignal): Connection {
  if (/throw-?_?on-?_?append-?_?failure=false/i.test(options.url)) {
    throw new Error(
      "EVENTSTORE_URL: throwOnAppendFailure=false makes the client answer wrong revisions; leave it out",
    );
  }
  return {
    client: EventStoreDBClient.connectionString(options.url),
    prefix: options.prefix,
    attemptTimeoutMillis: options.attemptTimeoutMillis ?? 5_000,
    patience: createPatience(options.budgetMillis ?? 15_000),
    maxAppendsInFlight: options.maxAppendsInFlight ?? 64,
    origin: options.origin ?? { load: async () => null, save: async () => undefined },
    quiet: createQuietStretches(),
    credentials: credentialsOf(options.url),
    closing,
  };
}

/** Without TLS the server ignores them, but they must be present; with TLS they must be valid. */
function credentialsOf(url: string): Credentials {
  const [, user, password] = /^[^:]+:\/\/([^:@/]+):([^@/]+)@/.exec(url) ?? [];
  if (user !== undefined && password !== undefined) {
    return { username: decodeURIComponent(user), password: decodeURIComponent(password) };
  }
  if (/[?&]tls=false(&|$)/i.test(url)) return { username: "ignored", password: "ignored" };
  throw new Error("EVENTSTORE_URL: with TLS it must name user and password (esdb://user:password@host:2113)");
}

/**
 * How long calls are repeated: a server that restarts is awaited, one that is known to be unavailable
 * is reported at once.
 */
type Patience = {
  readonly budgetMillis: () => number;
  /** The server has answered a call. */
  readonly answered: () => void;
  /** A call was given up because no server answered. */
  readonly usedUp: () => void;
};

/** Before the first answer nobody knows whether there is a server. */
const UNKNOWN_MILLIS = 1_000;

/**
 * `budgetMillis` while the server answers; after a call was given up, one attempt each until it answers
 * again.
 */
function createPatience(budgetMillis: number): Patience {
  let current = Math.min(budgetMillis, UNKNOWN_MILLIS);
  return {
    budgetMillis: () => current,
    answered: () => {
      current = budgetMillis;
    },
    usedUp: () => {
      current = 0;
    },
  };
}
