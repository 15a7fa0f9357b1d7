import { beforeEach, expect, it } from "vitest";
import type { OpenCarrier } from "../../../application/ports/carrier.ts";
import {
  installationsOwn,
  type OpenedConnection,
} from "../../../application/ports/configuration/connections.ts";
import type { RequestEntrance, SocketEntrance } from "../../../application/ports/entrances.ts";
import { PHONE_LINE } from "../../../domain/call/carrier-identity.ts";
import type { ConnectionId, OwnerId } from "../../../domain/shared/ids.ts";
import { carrierRequests, carrierSockets } from "../../../infrastructure/carriers/carrier-entrances.ts";
import {
  type CarriersDeps,
  createCarriers,
  type OpenCarriers,
} from "../../../infrastructure/carriers/carriers.ts";
import type { OpenAsteriskOptions } from "../../../infrastructure/carriers/open-carrier-options.ts";
import {
  createOpenConnections,
  type OpenConnections,
} from "../../../infrastructure/carriers/open-connections.ts";
import { openEgress } from "../../../infrastructure/connections/egress.ts";
import { silentLogger, silentMetrics } from "../../../simulation/memory/silent.ts";
import { QUIET_CARRIER } from "../../application/engine-world.ts";
import { movingClock } from "../../support/moving-clock.ts";

const OWNER: OwnerId = "usr_1";
const ASTERISK = {
  kind: "asterisk",
  settings: {
    url: "http://pbx:8088",
    user: "ari",
    context: "ringfold-dial",
    callsPerSecond: 2,
    maxConcurrentCalls: 30,
  },
  secrets: { password: "first" },
} as const;
const TWILIO = {
  kind: "twilio",
  settings: { accountSid: `AC${"0".repeat(32)}`, callsPerSecond: 1, baseUrl: null },
  secrets: { authToken: "token" },
} as const;

const never = () => Promise.reject(new Error("not asked for"));
const carrier = { ...QUIET_CARRIER, placeCall: never };
const entrance: RequestEntrance = {
  method: "POST",
  path: "/carrier/twilio/:callId/status",
  answer: async ({ rawBody }) => ({ status: 200, contentType: null, body: `got ${rawBody.length}` }),
};
const otherMethod: RequestEntrance = { ...entrance, method: "GET", answer: never };
const socket: SocketEntrance = {
  path: "/carrier/twilio/:callId/relay",
  refuses: async ({ query }) =>
    query["signed"] === "yes" ? null : { status: 403, message: "The request is not signed by the carrier" },
  open: (_request, { send }) => send("hello"),
  leave: () => undefined,
};

let stored: Map<ConnectionId, OpenedConnection>;
let log: string[];
let deps: CarriersDeps;
let open: OpenConnections;
let carriers: OpenCarriers;
/** What a factory waits for before it has its connection to Twilio. */
let opening: Promise<void>;
let changed: (owner: OwnerId) => void;

beforeEach(() => {
  stored = new Map();
  log = [];
  opening = Promise.resolve();
  const opened = (name: string): OpenCarrier => ({
    carrier: { ...carrier, instance: async () => name },
    requests: [otherMethod, entrance],
    sockets: [socket],
    check: async () => [],
    leave: () => void log.push(`leave ${name}`),
    stop: async () => void log.push(`stop ${name}`),
  });
  const listeners: ((owner: OwnerId) => void)[] = [];
  changed = (owner) => {
    for (const listener of listeners) listener(owner);
  };
  open = createOpenConnections({
    factories: {
      twilio: async ({ connection: { key } }) => {
        log.push(`open ${key}`);
        await opening;
        return opened(key);
      },
      asterisk: async ({ connection: { key }, secret, egress }: OpenAsteriskOptions) => {
        log.push(`open ${key} with ${secret} ${egress.policy === WAYS.anywhere ? "anywhere" : "guarded"}`);
        return opened(key);
      },
    },
    context: {
      installation: "here",
      processId: "one",
      clock: movingClock(),
      logger: silentLogger,
      metrics: silentMetrics,
      sink: never,
      conversations: { arrive: async () => null },
      sessionIsDue: () => Promise.reject(new Error("not asked for")),
      sessionsBegun: never,
      livenessOf: never,
      speakerOf: never,
      publicUrl: () => "http://127.0.0.1:3000",
    },
    egress: WAYS,
    logger: silentLogger,
  });
  deps = {
    ownKind: "asterisk",
    simulated: null,
    unnamed: null,
    phoneLine: { ...carrier, kind: "phone" },
    own: [ASTERISK],
    connections: { open: async (owner, id) => (owner === OWNER ? (stored.get(id) ?? null) : null) },
    inUse: async () => [
      { owner: OWNER, connectionId: "conn_1" },
      { owner: OWNER, connectionId: installationsOwn("asterisk") },
    ],
    changes: {
      changed: (owner) => changed(owner),
      noticed: () => undefined,
      onChange: (listener) => {
        listeners.push(listener);
        return () => undefined;
      },
      onGap: () => () => undefined,
      reliable: () => true,
    },
    open,
  };
  carriers = createCarriers(deps);
});
const WAYS = openEgress([]);

const keyOf = async (connectionId: ConnectionId | null) =>
  (await carriers.route(OWNER, connectionId, null))?.turn;

it("opens what is asked for, once, and nothing else", async () => {
  stored.set("conn_1", { ...TWILIO, default: false });
  expect(log).toEqual([]);
  const turns = await Promise.all([keyOf(null), keyOf(null), keyOf("conn_1"), keyOf("conn_2")]);
  expect(turns).toEqual([
    { key: "asterisk", kind: "asterisk", audio: true, callsPerSecond: 2, maxConcurrentCalls: 30 },
    { key: "asterisk", kind: "asterisk", audio: true, callsPerSecond: 2, maxConcurrentCalls: 30 },
    { key: "conn_1", kind: "twilio", audio: false, callsPerSecond: 1, maxConcurrentCalls: null },
    undefined,
  ]);
  expect(log.toSorted()).toEqual(["open asterisk with first anywhere", "open conn_1"]);
  expect((await carriers.every()).map(({ key }) => key)).toEqual(["asterisk", "conn_1"]);
});

it("opens a connection anew with another secret, keeps it with another pace, and closes what is deleted", async () => {
  stored.set("conn_1", { ...ASTERISK, default: false });
  await keyOf("conn_1");
  stored.set("conn_1", {
    ...ASTERISK,
    settings: { ...ASTERISK.settings, callsPerSecond: 9 },
    default: false,
  });
  changed(OWNER);
  expect((await keyOf("conn_1"))?.callsPerSecond).toBe(9);
  stored.set("conn_1", { ...ASTERISK, secrets: { password: "second" }, default: false });
  changed(OWNER);
  await keyOf("conn_1");
  stored.delete("conn_1");
  changed(OWNER);
  await expect.poll(() => log.filter((line) => line === "stop conn_1").length).toBe(2);
  expect(log.filter((line) => line.startsWith("open"))).toEqual([
    "open conn_1 with first guarded",
    "open conn_1 with second guarded",
  ]);
  expect(
    await carriers.dialledOn(OWNER, { kind: "asterisk", connectionId: "conn_1", instance: "x" }),
  ).toBeNull();
});

it("leaves a connection open when only another owner's connections changed", async () => {
  stored.set("conn_1", { ...ASTERISK, default: false });
  await keyOf("conn_1");
  await open.get({ key: "conn_2", connectionId: "conn_2", owner: "usr_2" }, ASTERISK);
  changed("usr_2");
  await expect.poll(() => log.filter((line) => line.startsWith("stop"))).toEqual(["stop conn_2"]);
  expect(open.all().map(({ key }) => key)).toEqual(["conn_1"]);
});

it("opens of several own connections the one that is asked for, beside the simulated one", async () => {
  const simulated = { ...carrier, kind: "simulated" } as const;
  const own = [ASTERISK, TWILIO];
  const several = createCarriers({ ...deps, ownKind: "simulated", simulated, own });
  const kindOf = async (connectionId: ConnectionId | null) =>
    (await several.route(OWNER, connectionId, null))?.turn.kind;
  expect(await kindOf(null)).toBe("simulated");
  expect(await kindOf(installationsOwn("twilio"))).toBe("twilio");
  expect(await kindOf(installationsOwn("asterisk"))).toBe("asterisk");
  expect(log).toEqual(["open twilio", "open asterisk with first anywhere"]);
  stored.set("conn_1", { ...TWILIO, default: false });
  expect((await several.every()).map(({ key }) => key)).toEqual([
    "simulated",
    "asterisk",
    "twilio",
    "conn_1",
  ]);
  const none = createCarriers({ ...deps, ownKind: "simulated" });
  expect(await none.route(OWNER, null, null)).toBeNull();
});

it("tries a connection anew that did not open", async () => {
  stored.set("conn_1", { ...TWILIO, default: false });
  opening = Promise.reject(new Error("no library"));
  await expect(keyOf("conn_1")).rejects.toThrow("no library");
  expect(open.all()).toEqual([]);
  opening = Promise.resolve();
  expect((await keyOf("conn_1"))?.kind).toBe("twilio");
  expect(log).toEqual(["open conn_1", "open conn_1"]);
});

it("leaves all connections, also one that is still opening, and stops each once", async () => {
  stored.set("conn_1", { ...TWILIO, default: false });
  const ready = Promise.withResolvers<void>();
  await keyOf(null);
  opening = ready.promise;
  const before = keyOf("conn_1");
  await expect.poll(() => log).toContain("open conn_1");
  open.leave();
  await expect.poll(() => log).toContain("leave asterisk");
  opening = Promise.resolve();
  await open.get({ key: "twilio", connectionId: null, owner: null }, TWILIO);
  await expect.poll(() => log).toContain("leave twilio");
  expect(log).not.toContain("leave conn_1");
  ready.resolve();
  await before;
  await expect.poll(() => log).toContain("leave conn_1");
  await open.stop();
  expect(open.all()).toEqual([]);
  expect(log.filter((line) => line.startsWith("stop")).toSorted()).toEqual([
    "stop asterisk",
    "stop conn_1",
    "stop twilio",
  ]);
  await open.stop();
  expect(log.filter((line) => line.startsWith("stop"))).toHaveLength(3);
});

it("asks about a call where it was dialled, and the phone line for its own", async () => {
  const own = await carriers.dialledOn(OWNER, { kind: "asterisk", connectionId: null, instance: "x" });
  expect(await own?.instance()).toBe("asterisk");
  expect(await carriers.dialledOn(OWNER, { kind: "twilio", connectionId: null, instance: "x" })).toBeNull();
  expect(
    await carriers.dialledOn(OWNER, { kind: "simulated", connectionId: null, instance: "x" }),
  ).toBeNull();
  const phone = { kind: "phone", connectionId: null, instance: "phone" } as const;
  expect((await carriers.dialledOn(OWNER, phone))?.kind).toBe("phone");
  expect((await carriers.route(OWNER, null, PHONE_LINE))?.carrier.kind).toBe("phone");
});

it("gives a carrier's requests to the connection of the call in their path, refuses those of other calls, and looks at none for a request that is not signed", async () => {
  stored.set("conn_1", { ...TWILIO, default: false });
  const looked: (string | null)[] = [];
  const carrierOf = async (callId: string | null) => {
    looked.push(callId);
    return callId === "call_1" ? carriers.openedFor(OWNER, { kind: "twilio", connectionId: "conn_1" }) : null;
  };
  const request = (callId: string) => ({
    method: "POST",
    url: `/carrier/twilio/${callId}/status`,
    headers: { "x-twilio-signature": "s" },
    params: { callId },
    query: {},
    rawBody: Buffer.from("abc"),
  });
  const [status] = carrierRequests(carrierOf);
  expect(await status?.answer(request("call_1"))).toMatchObject({ status: 200, body: "got 3" });
  for (const other of ["call_2", "../call_1"])
    expect(await status?.answer(request(other))).toMatchObject({ status: 403 });
  expect(looked).toEqual(["call_1", "call_2"]);
  const [relay] = carrierSockets(carrierOf);
  const asked = request("call_1");
  looked.length = 0;
  expect(await status?.answer({ ...asked, headers: {} })).toMatchObject({ status: 403 });
  expect(await relay?.refuses({ ...asked, headers: {}, query: { signed: "yes" } })).toMatchObject({
    status: 403,
  });
  expect(looked).toEqual([null, null]);
  expect(await relay?.refuses(asked)).toMatchObject({ status: 403 });
  expect(await relay?.refuses({ ...request("call_2"), query: { signed: "yes" } })).toMatchObject({
    status: 403,
  });
  const signed = { ...asked, query: { signed: "yes" } };
  expect(await relay?.refuses(signed)).toBeNull();
  const sent: unknown[] = [];
  const line = {
    send: (text: string) => void sent.push(text),
    waiting: () => 0,
    close: (code: number) => void sent.push(code),
    onText: () => undefined,
    onClose: () => undefined,
  };
  relay?.open(signed, line);
  expect(sent).toEqual(["hello"]);
  // Its headers were never checked.
  relay?.open({ ...signed, headers: { ...signed.headers } }, line);
  relay?.leave();
  relay?.open(signed, line);
  expect(sent).toEqual(["hello", 1_001, 1_001]);
  expect(await relay?.refuses(signed)).toMatchObject({ status: 503 });
});
