import { once } from "node:events";
import http from "node:http";
import type { Socket } from "node:net";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { deliveryLoop } from "../../../../application/webhook/delivery/delivery-loop.ts";
import { DEFAULT_PLACES } from "../../../../application/webhook/delivery/places.ts";
import type { OwnerId } from "../../../../domain/shared/ids.ts";
import { addressPolicy } from "../../../../infrastructure/http/address-guard.ts";
import {
  DEFAULT_EXCHANGE_LIMITS,
  guardedHttpClient,
} from "../../../../infrastructure/http/guarded-http-client.ts";
import { systemIds } from "../../../../infrastructure/ids.ts";
import { attemptSender } from "../../../../infrastructure/webhook/delivery/attempt.ts";
import { memoryDeliveryStore } from "../../../../simulation/memory/delivery-store.ts";
import { silentLogger, silentMetrics } from "../../../../simulation/memory/silent.ts";
import {
  memoryOutbox,
  memoryOutboxState,
  putMemoryEndpoint,
} from "../../../../simulation/memory/webhook-outbox.ts";
import { movingClock } from "../../../support/moving-clock.ts";
import { onEachRequest, rawReceiver } from "../../../support/raw-receiver.ts";
import { webhookEntry } from "../../../support/webhook-loop-world.ts";

/** The sockets are real, time is not: it passes only where a test says so, however busy the machine is. */
const closing: (() => unknown)[] = [];
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  vi.useRealTimers();
});

/** Waits without a timer, for what needs no time to pass. */
async function atOnce(what: string, holds: () => boolean): Promise<void> {
  const until = performance.now() + 60_000;
  while (!holds()) {
    if (performance.now() > until) throw new Error(`Waited in vain for ${what}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The deadline of an exchange. */
const TOTAL_MILLIS = 3_000;
const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

const HOSTILE: Record<string, { behave: (socket: Socket) => void; class: string; detail: RegExp }> = {
  "hangs before its head": { behave: () => undefined, class: "unreachable", detail: /total_timeout/ },
  "hangs after its head": {
    behave: (socket) => socket.write("HTTP/1.1 500 No\r\nContent-Length: 9\r\n\r\n"),
    class: "refused",
    detail: /^$/,
  },
  "drips its head": {
    behave: (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nX-Slow: ");
      const timer = setInterval(() => socket.write("x"), 100);
      socket.on("close", () => clearInterval(timer));
    },
    class: "unreachable",
    detail: /total_timeout/,
  },
  resets: { behave: (socket) => socket.resetAndDestroy(), class: "unreachable", detail: /first_byte/ },
  "answers 10 MB": {
    behave: (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 10485760\r\n\r\n");
      socket.write(Buffer.alloc(10_485_760));
    },
    class: "delivered",
    detail: /^$/,
  },
  "closes its connections": { behave: (socket) => socket.end(OK), class: "delivered", detail: /^$/ },
  "redirects to a private address": {
    behave: (socket) =>
      socket.write("HTTP/1.1 302 Go\r\nLocation: http://10.0.0.1/x\r\nContent-Length: 0\r\n\r\n"),
    class: "redirect",
    detail: /^redirect to 10\.0\.0\.1$/,
  },
  "answers 200 too late": {
    behave: (socket) => {
      const timer = setTimeout(() => socket.write(OK), TOTAL_MILLIS + 1);
      socket.on("close", () => clearTimeout(timer));
    },
    class: "unreachable",
    detail: /total_timeout/,
  },
};

/** Those that only the deadline ends. */
const HANGING = ["hangs before its head", "hangs after its head", "drips its head", "answers 200 too late"];

/** The loop with the real client over real sockets. */
function start() {
  const state = memoryOutboxState();
  const clock = movingClock();
  const client = guardedHttpClient(
    {
      policy: addressPolicy(["127.0.0.0/8"]),
      resolve: () => Promise.reject(new Error("no names here")),
      ca: undefined,
    },
    { ...DEFAULT_EXCHANGE_LIMITS, totalMillis: TOTAL_MILLIS },
  );
  const loop = deliveryLoop({
    store: memoryDeliveryStore(state, clock),
    sendAttempt: attemptSender(client),
    clock,
    random: Math.random,
    logger: silentLogger,
    metrics: silentMetrics,
    worker: "w1",
  });
  loop.start();
  closing.push(async () => {
    await loop.stop(0);
    client.close();
  });
  const outbox = memoryOutbox(state, {
    clock,
    ids: systemIds,
    onQueued: (owners) => loop.wake(owners),
  });
  const putEndpoint = (owner: OwnerId, url: string): void => {
    const secrets = { current: "whsec_a2V5", previous: null };
    const settings = { url, inUse: true, events: ["call.ended"] as const, secrets };
    putMemoryEndpoint(state, owner, settings, clock.nowMillis());
  };
  const statuses = (owner: OwnerId) =>
    [...state.deliveries.values()].filter((delivery) => delivery.owner === owner).map(({ status }) => status);
  return { state, outbox, putEndpoint, statuses };
}

async function goodReceiver(): Promise<string> {
  const server = http.createServer((request, response) =>
    request.resume().on("end", () => response.end("ok")),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}/` : "";
}

it("classifies every hostile receiver, and none of them delays a good one", async () => {
  const { state, outbox, putEndpoint, statuses } = start();
  const good: OwnerId = "usr_good";
  putEndpoint(good, await goodReceiver());
  const hostile = Object.entries(HOSTILE).map(([name, how], index) => ({
    ...{ name, ...how, owner: `usr_hostile${index}` as const, isAsked: false },
  }));
  for (const each of hostile) {
    const receiver = await rawReceiver((socket) =>
      onEachRequest(socket, () => {
        each.isAsked = true;
        each.behave(socket);
      }),
    );
    closing.push(() => receiver.close());
    putEndpoint(each.owner, receiver.url);
  }
  await outbox.enqueue(hostile.map(({ owner }) => webhookEntry(owner, owner)));
  await atOnce("every hostile one to be asked", () => hostile.every(({ isAsked }) => isAsked));
  await outbox.enqueue(Array.from({ length: 100 }, (_, index) => webhookEntry(good, `good${index}`)));
  await atOnce("the good one to have everything", () =>
    statuses(good).every((status) => status === "delivered"),
  );
  const logged = (owner: OwnerId) => {
    const ids = [...state.deliveries.values()]
      .filter((delivery) => delivery.owner === owner)
      .map(({ id }) => id);
    return state.attempts.find(({ id }) => ids.includes(id));
  };
  const [hanging, ending] = [
    hostile.filter(({ name }) => HANGING.includes(name)),
    hostile.filter(({ name }) => !HANGING.includes(name)),
  ];
  await atOnce("those that end by themselves", () =>
    ending.every(({ owner }) => logged(owner) !== undefined),
  );
  vi.advanceTimersByTime(TOTAL_MILLIS - 1);
  expect(hanging.map(({ owner }) => statuses(owner))).toEqual(hanging.map(() => ["sending"]));
  vi.advanceTimersByTime(1);
  await atOnce("every hostile one to be recorded", () =>
    hanging.every(({ owner }) => logged(owner) !== undefined),
  );
  for (const { name, owner, class: expected, detail } of hostile) {
    const attempt = logged(owner);
    expect([name, attempt?.class]).toEqual([name, expected]);
    expect(attempt !== undefined && "detail" in attempt ? (attempt.detail ?? "") : "").toMatch(detail);
  }
});

it("delivers to a good endpoint while 300 others hang, on real sockets", async () => {
  const { outbox, putEndpoint, statuses, state } = start();
  const good: OwnerId = "usr_good";
  putEndpoint(good, await goodReceiver());
  await outbox.enqueue([webhookEntry(good, "first")]);
  await atOnce("the good one to be known", () => statuses(good)[0] === "delivered");
  const silent = await rawReceiver(() => undefined);
  closing.push(() => silent.close());
  const hanging = Array.from({ length: 300 }, (_, index): OwnerId => `usr_h${index}`);
  for (const owner of hanging) putEndpoint(owner, silent.url);
  await outbox.enqueue(hanging.map((owner) => webhookEntry(owner, owner)));
  // All places but the quarter that new ones leave free.
  const { total, forFirstPlaces } = DEFAULT_PLACES;
  const most = total - forFirstPlaces;
  await atOnce("the hanging ones to have taken what they can", () => silent.sockets.length === most);
  await outbox.enqueue(Array.from({ length: 100 }, (_, index) => webhookEntry(good, `good${index}`)));
  await atOnce("the good one to have everything", () =>
    statuses(good).every((status) => status === "delivered"),
  );
  expect(state.attempts.every(({ class: of }) => of === "delivered")).toBe(true);
  expect(silent.sockets).toHaveLength(most);
});
