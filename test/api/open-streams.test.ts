import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Api } from "../../api/api.ts";
import { createOpenStreams, type OpenStreams } from "../../api/open-streams.ts";
import { type OrderlyClose, orderlyClose } from "../../api/orderly-close.ts";
import { buildServer } from "../../api/server.ts";
import { START } from "../../application/ports/event-store.ts";
import type { Queries } from "../../application/ports/queries.ts";
import type { HistoryRecord } from "../../contract/history.ts";
import { systemClock } from "../../infrastructure/clock.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { loopMillisOf } from "../support/loop-time.ts";
import { throwingDeps } from "./support/inert-deps.ts";

const FOLLOW =
  "GET /api/v1/events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer k\r\naccept: text/event-stream\r\n\r\n";
const HALF_A_BODY =
  "POST /api/v1/squads HTTP/1.1\r\nhost: x\r\nauthorization: Bearer k\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{";

let openStreams: OpenStreams;
let api: Api;
let close: OrderlyClose;
let keyIds: string[];
let repeated: HistoryRecord | null;
/** Followers that have not left. */
let following: number;
beforeEach(async () => {
  following = 0;
  openStreams = createOpenStreams(systemClock);
  keyIds = [];
  repeated = null;
  const open: OpenStreams["open"] = (holder, cut) => {
    keyIds.push(holder.keyId);
    return openStreams.open(holder, cut);
  };
  const deps = throwingDeps(() => new Error("no work in this test"));
  const ownerEvents: Queries["ownerEvents"] = async () => ({ rows: [], next: START, atEnd: true });
  const queries: Queries = { ...deps.queries, ownerEvents, followOwnerEvents };
  api = buildServer({ ...deps, queries, openStreams: { ...openStreams, open } });
  close = orderlyClose(api, openStreams);
  await api.listen({ host: "127.0.0.1", port: 0 });
});
afterEach(() => close(AbortSignal.abort()));

/** The same event again and again, or nothing until the end. */
const followOwnerEvents: Queries["followOwnerEvents"] = async function* (_owner, _filter, { signal }) {
  following += 1;
  try {
    while (repeated !== null && !signal.aborted) yield [repeated];
    if (!signal.aborted) await once(signal, "abort");
  } finally {
    following -= 1;
  }
};

const LONG_EVENT: HistoryRecord = {
  position: "1",
  stream: "campaign-cmp_1",
  revision: 0,
  type: "CampaignStarted",
  data: { text: "x".repeat(64_000) },
  occurredAt: systemClock.now(),
  correlationId: "cmp_1",
  causationId: null,
  actor: { kind: "process", id: "test" },
};

type Connection = {
  readonly socket: Socket;
  readonly text: () => string;
  /** Milliseconds of the monotonic clock at its end. */
  readonly closed: Promise<number>;
};

function openConnections(): Promise<number> {
  return new Promise((resolve) => api.server.getConnections((_error, count) => resolve(count)));
}

async function connected(first: string): Promise<Connection> {
  const socket = connect(Number(new URL(api.listeningOrigin).port), "127.0.0.1");
  let text = "";
  socket.on("data", (data) => {
    text += data;
  });
  socket.on("error", () => undefined);
  const closed = new Promise<number>((resolve) => socket.once("close", () => resolve(performance.now())));
  await once(socket, "connect");
  socket.write(first);
  return { socket, text: () => text, closed };
}

async function follower(): Promise<Connection> {
  const connection = await connected(FOLLOW);
  await eventually("the stream", () => connection.text().includes(": connected"));
  return connection;
}

describe("an open event stream", () => {
  it("is told why the service ends it, without an id, and ends", async () => {
    const { closed, text } = await follower();
    openStreams.end(({ keyId }) => keyId === keyIds[0], "key_revoked");
    await eventually("the end of the stream", () => text().endsWith("\r\n0\r\n\r\n"), 1_000);
    expect(text()).toContain('event: closing\ndata: {"reason":"key_revoked"}\n\n');
    expect(text().match(/^id: /gm)).toHaveLength(1); // the one that it begins with
    await close(AbortSignal.timeout(10_000));
    await closed;
  });

  it("of another key goes on", async () => {
    const { text } = await follower();
    openStreams.end(({ keyId }) => keyId === "key_other", "key_revoked");
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(text()).not.toContain("closing");
  });

  it("that is opened after the service began to stop ends at once", () => {
    openStreams.endAll("stopping");
    const late = openStreams.open({ owner: "usr_late", keyId: "key_late", sessionId: null }, () => undefined);
    expect([late.ended.aborted, late.endReason()]).toEqual([true, "stopping"]);
  });

  it("is cut half a second later when its reader does not read", async () => {
    repeated = LONG_EVENT;
    const { socket, closed, text } = await follower();
    socket.pause();
    await new Promise((resolve) => setTimeout(resolve, 300)); // every buffer on the way is full
    const began = performance.now();
    openStreams.endAll("stopping");
    await eventually("the cut", async () => (await openConnections()) === 0, 2_000);
    expect(performance.now() - began).toBeGreaterThan(400);
    socket.resume();
    await closed;
    expect(text()).not.toContain("closing");
  });

  it("stops following when its reader goes, also in the middle of events that were not read", async () => {
    repeated = LONG_EVENT;
    const { socket } = await follower();
    socket.pause();
    await new Promise((resolve) => setTimeout(resolve, 300)); // every buffer on the way is full
    expect(following).toBe(1);
    socket.destroy();
    await eventually("the end of following", () => following === 0, 2_000);
  });
});

describe("the close of the server", () => {
  it("takes no time over connections without a request", async () => {
    const idle = await connected("GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n");
    await eventually("its answer", () => idle.text().includes("200 OK"));
    const all = [
      idle,
      await follower(),
      await connected(""),
      await connected("GET /health/live HTTP/1.1\r\nho"),
    ];
    const closing = close(AbortSignal.timeout(10_000));
    expect(await loopMillisOf(Promise.all([closing, ...all.map(({ closed }) => closed)]))).toBeLessThan(
      2_000,
    );
  });

  it("cuts a request that is still under way at the limit", async () => {
    const half = await connected(HALF_A_BODY);
    await follower(); // by now the half request was read
    const began = performance.now();
    const closing = close(AbortSignal.timeout(300));
    expect(await loopMillisOf(Promise.all([closing, half.closed]))).toBeLessThan(2_000);
    expect((await half.closed) - began).toBeGreaterThanOrEqual(290);
  });

  it("answers a request that is under way, and closes its connection", async () => {
    const half = await connected(HALF_A_BODY);
    await follower();
    const closed = close(AbortSignal.timeout(10_000));
    half.socket.write("       }");
    await closed;
    await half.closed;
    expect(half.text()).toMatch(/^HTTP\/1.1 400 /);
  });
});
