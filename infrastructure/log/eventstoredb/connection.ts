import { type Credentials, EventStoreDBClient } from "@eventstore/db-client";
import type { Position } from "../../../application/ports/event-store.ts";
import { createPatience, type Patience } from "./patience.ts";
import { createQuietStretches, type QuietStretches } from "./quiet-stretches.ts";

export type EventStoreDbOptions = {
  /** `esdb://…` or `esdb+discover://…` */
  readonly url: string;
  /** In front of every stream name of this installation, for example `ringfold-`. */
  readonly prefix: string;
  /** One attempt of an append, a read that stands still, a subscription that is not confirmed (default 5,000 ms). */
  readonly attemptTimeoutMs?: number;
  /** For how long a call to a server that answered before is repeated until it is Unavailable (default 15,000 ms). */
  readonly budgetMs?: number;
  /** Where the place of the first event of this prefix is remembered (default: in this process alone). */
  readonly origin?: OriginMemory;
  /** Default 64: more in flight gain nothing and delay each other beyond their deadlines. */
  readonly maxAppendsInFlight?: number;
};

/** A place before every event of ours, and the event that stands there: by its id a log is known that went back, or is another one. */
export type KnownOrigin = { readonly position: Position; readonly eventId: string };

/** What every process of an installation shares, so that it is searched for once. */
export interface OriginMemory {
  load(prefix: string): Promise<KnownOrigin | null>;
  save(prefix: string, origin: KnownOrigin): Promise<void>;
}

/** What every part of the adapter needs. */
export type Connection = {
  readonly client: EventStoreDBClient;
  readonly prefix: string;
  readonly attemptTimeoutMs: number;
  readonly patience: Patience;
  readonly maxAppendsInFlight: number;
  readonly origin: OriginMemory;
  /** What was found out about the log so far. */
  readonly quiet: QuietStretches;
  /** Given with every append: the client's default path shares one bank of promises in the whole process and may never answer (fact 1). */
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
    attemptTimeoutMs: options.attemptTimeoutMs ?? 5_000,
    patience: createPatience(options.budgetMs ?? 15_000),
    maxAppendsInFlight: options.maxAppendsInFlight ?? 64,
    origin: options.origin ?? { load: async () => null, save: async () => undefined },
    quiet: createQuietStretches(),
    credentials: credentialsOf(options.url),
    closing,
  };
}

/** Without TLS the server ignores them, but they must be there; with TLS they must be the real ones. */
function credentialsOf(url: string): Credentials {
  const [, user, password] = /^[^:]+:\/\/([^:@/]+):([^@/]+)@/.exec(url) ?? [];
  if (user !== undefined && password !== undefined) {
    return { username: decodeURIComponent(user), password: decodeURIComponent(password) };
  }
  if (/[?&]tls=false(&|$)/i.test(url)) return { username: "ignored", password: "ignored" };
  throw new Error("EVENTSTORE_URL: with TLS it must name user and password (esdb://user:password@host:2113)");
}
