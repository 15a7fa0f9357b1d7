import type pg from "pg";
import { repeatUntilStopped } from "../application/repeating.ts";
import { systemClock } from "./clock.ts";

const RECONNECT_MILLIS = 500;
const PROBE_MILLIS = 10_000;

/** Runs a query on the listening connection. */
export type Ask = (sql: string) => Promise<unknown>;

type Listening = {
  readonly channel: string;
  /** Opens a connection with an `error` listener. */
  readonly connect: () => Promise<pg.Client>;
  readonly signal: AbortSignal;
  /** Called each time that LISTEN succeeded: earlier notifications may have been missed. */
  readonly onListening: (ask: Ask) => void;
  /** `own`: sent by this very connection. */
  readonly onNotification: (payload: string | undefined, own: boolean) => void;
  /** Notifications may be missed from now on. */
  readonly onLost: () => void;
  readonly onFailure: (error: unknown) => void;
};

/** Keeps one connection that LISTENs, opened again whenever it is lost, until `signal` aborts. */
export async function listenUntilStopped(listening: Listening): Promise<void> {
  const { signal, onFailure } = listening;
  const pause = () => systemClock.sleep(RECONNECT_MILLIS, signal);
  await repeatUntilStopped({ signal, pause, onFailure }, () => listenOnce(listening));
}

/** Resolves or rejects when the connection is gone, or `signal` aborts. */
async function listenOnce(listening: Listening): Promise<void> {
  const { channel, connect, signal, onListening, onNotification, onLost } = listening;
  const client = await connect();
  const lost = new AbortController();
  client.on("end", () => lost.abort());
  client.on("error", () => lost.abort());
  let answered: Promise<unknown> = Promise.resolve();
  const ask = (sql: string): Promise<unknown> => {
    const answer = client.query(sql);
    answered = answer.catch(() => undefined);
    return answer;
  };
  try {
    const { rows } = await client.query<{ pid: string }>("select pg_backend_pid()::text as pid");
    client.on("notification", ({ processId, payload }) =>
      onNotification(payload, String(processId) === rows[0]?.pid),
    );
    await client.query(`listen ${channel}`);
    onListening(ask);
    const over = AbortSignal.any([signal, lost.signal]);
    while (!over.aborted) {
      await systemClock.sleep(PROBE_MILLIS, over);
      if (!over.aborted) await ask("select 1");
    }
  } finally {
    onLost();
    await answered; // a connection that ends before its answer leaves a FATAL line in the database's log
    await client.end().catch(() => undefined);
  }
}
