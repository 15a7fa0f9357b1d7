import { once } from "node:events";
import http from "node:http";
import type { Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import { deliveryLoop } from "../../../../application/webhook/delivery/delivery-loop.ts";
import type { OwnerId } from "../../../../domain/shared/ids.ts";
import { systemClock } from "../../../../infrastructure/clock.ts";
import { addressPolicy } from "../../../../infrastructure/http/address-guard.ts";
import {
  DEFAULT_EXCHANGE_LIMITS,
  guardedHttpClient,
} from "../../../../infrastructure/http/guarded-http-client.ts";
import { systemIds } from "../../../../infrastructure/ids.ts";
import { attemptSender } from "../../../../infrastructure/webhook/delivery/attempt.ts";
import { eventually } from "../../../../simulation/drills/eventually.ts";
import { memoryDeliveryStore } from "../../../../simulation/memory/delivery-store.ts";
import { silentLogger, silentMetrics } from "../../../../simulation/memory/silent.ts";
import {
  memoryOutbox,
  memoryOutboxState,
  putMemoryEndpoint,
} from "../../../../simulation/memory/webhook-outbox.ts";
import { onEachRequest, rawReceiver } from "../../../support/raw-receiver.ts";
import { webhookEntry } from "../../../support/webhook-loop-world.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

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
      const bytes = [..."HTTP/1.1 200 OK\r\nX-Slow: yes\r\nContent-Length: 0\r\n\r\n"];
      const timer = setInterval(() => socket.write(bytes.shift() ?? "x"), 100);
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
      const timer = setTimeout(() => socket.write(OK), 4_000);
      socket.on("close", () => clearTimeout(timer));
    },
    class: "unreachable",
    detail: /total_timeout/,
  },
};

/** The loop with the real client over real sockets; `totalMillis` is the deadline of an exchange. */
function start(totalMillis: number) {
  const state = memoryOutboxState();
  const client = guardedHttpClient(
    {
      policy: addressPolicy(["127.0.0.0/8"]),
      resolve: () => Promise.reject(new Error("no names here")),
      ca: undefined,
    },
    { ...DEFAULT_EXCHANGE_LIMITS, totalMillis },
  );
  const loop = deliveryLoop({
    store: memoryDeliveryStore(state, systemClock),
    sendAttempt: attemptSender(client),
    clock: systemClock,
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
    clock: systemClock,
    ids: systemIds,
    onQueued: (owners) => loop.wake(owners),
  });
  const putEndpoint = (owner: OwnerId, url: string): void => {
    const secrets = { current: "whsec_a2V5", previous: null };
    const settings = { url, inUse: true, events: ["call.ended"] as const, secrets };
    putMemoryEndpoint(state, owner, settings, Date.now());
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
  const { state, outbox, putEndpoint, statuses } = start(3_000);
  const good: OwnerId = "usr_good";
  putEndpoint(good, await goodReceiver());
  const hostile = Object.keys(HOSTILE).map((name, index) => ({
    name,
    owner: `usr_hostile${index}` as const,
  }));
  for (const { name, owner } of hostile) {
    const receiver = await rawReceiver((socket) =>
      onEachRequest(socket, () => HOSTILE[name]?.behave(socket)),
    );
    closing.push(() => receiver.close());
    putEndpoint(owner, receiver.url);
  }
  await outbox.enqueue(hostile.map(({ owner }) => webhookEntry(owner, owner)));
  await outbox.enqueue(Array.from({ length: 100 }, (_, index) => webhookEntry(good, `good${index}`)));
  await eventually("the good one to have everything", () =>
    statuses(good).every((status) => status === "delivered"),
  );
  // The hanging ones are still under way: nobody waited for their deadline.
  expect(statuses("usr_hostile0")).toEqual(["sending"]);
  const logged = (owner: OwnerId) => {
    const ids = [...state.deliveries.values()]
      .filter((delivery) => delivery.owner === owner)
      .map(({ id }) => id);
    return state.attempts.find(({ id }) => ids.includes(id));
  };
  await eventually("every hostile one to be recorded", () =>
    hostile.every(({ owner }) => logged(owner) !== undefined),
  );
  for (const { name, owner } of hostile) {
    const attempt = logged(owner);
    expect([name, attempt?.class]).toEqual([name, HOSTILE[name]?.class]);
    expect(attempt !== undefined && "detail" in attempt ? (attempt.detail ?? "") : "").toMatch(
      HOSTILE[name]?.detail ?? /$^/,
    );
  }
});

it("delivers to a good endpoint while 300 others hang, on real sockets", async () => {
  const { outbox, putEndpoint, statuses, state } = start(15_000);
  const good: OwnerId = "usr_good";
  putEndpoint(good, await goodReceiver());
  await outbox.enqueue([webhookEntry(good, "first")]);
  await eventually("the good one to be known", () => statuses(good)[0] === "delivered");
  const silent = await rawReceiver(() => undefined);
  closing.push(() => silent.close());
  const hanging = Array.from({ length: 300 }, (_, index): OwnerId => `usr_h${index}`);
  for (const owner of hanging) putEndpoint(owner, silent.url);
  await outbox.enqueue(hanging.map((owner) => webhookEntry(owner, owner)));
  await eventually("the hanging ones to have taken what they can", () => silent.sockets.length >= 128);
  await outbox.enqueue(Array.from({ length: 100 }, (_, index) => webhookEntry(good, `good${index}`)));
  await eventually("the good one to have everything", () =>
    statuses(good).every((status) => status === "delivered"),
  );
  expect(state.attempts.every(({ class: of }) => of === "delivered")).toBe(true);
  expect(silent.sockets.length).toBeLessThanOrEqual(256);
});
