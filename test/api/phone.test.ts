import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import type { Api } from "../../api/api.ts";
import type { ApiDeps } from "../../api/deps.ts";
import { createOpenStreams, type OpenStreams } from "../../api/open-streams.ts";
import { type OrderlyClose, orderlyClose } from "../../api/orderly-close.ts";
import { LONGEST_FRAME } from "../../api/phone/routes.ts";
import { buildServer } from "../../api/server.ts";
import { PATIENCE } from "../../api/slow-clients.ts";
import type { PhoneSocket } from "../../application/ports/phones.ts";
import type { FromPhone } from "../../contract/phone.ts";
import type { ApiKeyScope } from "../../contract/scopes.ts";
import { systemClock } from "../../infrastructure/clock.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { configurationThat, throwingDeps } from "./support/inert-deps.ts";

describe("the phone's socket", () => {
  let deps: () => ApiDeps;
  let api: Api;
  let close: OrderlyClose;
  let openStreams: OpenStreams;
  let address: string;
  let scopes: ApiKeyScope[];
  let connected: { owner: string; phoneId: string; socket: PhoneSocket; left: boolean }[];
  let received: FromPhone[];
  beforeEach(async () => {
    scopes = ["calls:write"];
    connected = [];
    received = [];
    openStreams = createOpenStreams(systemClock);
    const nothing = () => new Error("no work in this test");
    const configuration = configurationThat(nothing, async (key) =>
      key === "good" ? { owner: "usr_1", keyId: "key_1", scopes } : null,
    );
    const { apiKeys } = configuration;
    deps = () =>
      throwingDeps(nothing, {
        configuration: { ...configuration, apiKeys: { ...apiKeys, ended: async () => new Map() } },
        openStreams,
        phones: {
          connect: async (owner, phoneId, socket) => {
            const phone = { owner, phoneId, socket, left: false };
            connected.push(phone);
            return {
              receive: (frame) => received.push(frame),
              left: () => {
                phone.left = true;
              },
            };
          },
        },
      });
    api = buildServer(deps());
    close = orderlyClose(api, openStreams);
    address = (await api.listen({ host: "127.0.0.1", port: 0 })).replace("http", "ws");
  });
  afterEach(() => close(AbortSignal.abort()));

  const dial = (headers: Record<string, string> = {}, path = "/phone?phone=mine") =>
    new WebSocket(`${address}${path}`, { headers: { Authorization: "Bearer good", ...headers } });
  /** The status with which the upgrade is refused. */
  const refused = async (socket: WebSocket) => {
    socket.on("error", () => undefined);
    const [, response] = await once(socket, "unexpected-response");
    return response.statusCode;
  };
  async function opened(): Promise<WebSocket> {
    const socket = dial();
    await once(socket, "open");
    await eventually("the phone", () => connected.length > 0);
    return socket;
  }

  it("is refused before the upgrade: without a key, without the scope, from a foreign page, under a bad name", async () => {
    expect(await refused(dial({ Authorization: "Bearer bad" }))).toBe(401);
    expect(await refused(dial({ Origin: "https://evil.example" }))).toBe(403);
    expect(await refused(dial({}, "/phone?phone=a%20b"))).toBe(400);
    scopes = ["calls:read"];
    expect(await refused(dial())).toBe(403);
    expect(connected).toEqual([]);
  });

  it("takes frames, ignores what is none, and gives the service's to the phone", async () => {
    const socket = await opened();
    expect(connected).toMatchObject([{ owner: "usr_1", phoneId: "mine" }]);
    for (const text of ["{", '{"type":"dance","callId":"call_1"}', '{"type":"said","callId":"x","text":"a"}'])
      socket.send(text);
    socket.send(JSON.stringify({ type: "said", callId: "call_1", text: "Hello" }));
    await eventually("the frame", () => received.length > 0);
    socket.send('{"type":"said","callId":"call_1","text":"hello \\ud83d there\\u0000"}');
    socket.send('{"type":"speaking","callId":"call_1","heard":"\\ud83d"}');
    await eventually("the frames", () => received.length === 3);
    expect(received).toEqual([
      { type: "said", callId: "call_1", text: "Hello" },
      { type: "said", callId: "call_1", text: "hello \ufffd there\ufffd" },
      { type: "speaking", callId: "call_1", heard: "\ufffd" },
    ]);
    const heard = once(socket, "message");
    connected[0]?.socket.send({ type: "cleared", callId: "call_1" });
    expect(JSON.parse(String((await heard)[0]))).toEqual({ type: "cleared", callId: "call_1" });
    socket.close();
    await eventually("it is gone", () => connected[0]?.left);
  });

  it("ends for a flood of frames, and for one that is too long", async () => {
    const flood = await opened();
    const flooded = once(flood, "close");
    for (let frame = 0; frame < 10_000; frame += 1)
      flood.send(JSON.stringify({ type: "speaking", callId: "call_1" }));
    expect((await flooded)[0]).toBe(1008);
    expect(received.length).toBeLessThanOrEqual(1_000);
    const long = dial();
    await once(long, "open");
    const closed = once(long, "close");
    long.send("x".repeat(LONGEST_FRAME + 1));
    expect((await closed)[0]).toBe(1009);
  });

  it("may be silent for longer than a request may take", async () => {
    const patient = buildServer(deps(), { ...PATIENCE, firstByte: 300, header: 200, checkEvery: 20 });
    const at = (await patient.listen({ host: "127.0.0.1", port: 0 })).replace("http", "ws");
    try {
      const socket = new WebSocket(`${at}/phone`, { headers: { Authorization: "Bearer good" } });
      await once(socket, "open");
      await systemClock.sleep(1_000);
      socket.send(JSON.stringify({ type: "said", callId: "call_1", text: "Still here" }));
      await eventually("the frame", () => received.length > 0);
    } finally {
      await orderlyClose(patient, openStreams)(AbortSignal.abort());
    }
  });

  it("is closed when it is refused", async () => {
    const socket = dial({ Authorization: "Bearer bad" });
    socket.on("error", () => undefined);
    const [, response] = await once(socket, "unexpected-response");
    await once(response.socket, "close");
  });

  it("ends with its key", async () => {
    const socket = await opened();
    const closed = once(socket, "close");
    openStreams.end(() => true, "key_revoked");
    const [code, reason] = await closed;
    expect([code, String(reason)]).toEqual([1001, "key_revoked"]);
  });

  it("ends when the service stops", async () => {
    const socket = await opened();
    const closed = once(socket, "close");
    await close(AbortSignal.timeout(5_000));
    await closed;
    expect(connected[0]?.left).toBe(true);
  });
});
