import { type Credentials, EventStoreDBClient } from "@eventstore/db-client";
import { createPatience, type Patience } from "./patience.ts";

export type EventStoreDbOptions = {
  /** `esdb://…` or `esdb+discover://…` */
  readonly url: string;
  /** In front of every stream name of this installation, for example `ringfold-`. */
  readonly prefix: string;
  /** One attempt of an append, a read that stands still, a subscription that is not confirmed (default 5,000 ms). */
  readonly attemptTimeoutMs?: number;
  /** For how long a call to a server that answered before is repeated until it is Unavailable (default 15,000 ms). */
  readonly budgetMs?: number;
  /** Default 64: more in flight gain nothing and delay each other beyond their deadlines. */
  readonly maxAppendsInFlight?: number;
};

/** What every part of the adapter needs. */
export type Connection = {
  readonly client: EventStoreDBClient;
  readonly prefix: string;
  readonly attemptTimeoutMs: number;
  readonly patience: Patience;
  readonly maxAppendsInFlight: number;
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
