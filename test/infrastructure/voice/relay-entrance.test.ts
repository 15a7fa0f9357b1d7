import fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { registerSocketEntrances, registerWebSockets } from "../../../api/socket-entrances.ts";
import type { SocketEntrance } from "../../../application/ports/entrances.ts";
import type { SessionArrival } from "../../../application/ports/voice-session.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { createRelayEntrance } from "../../../infrastructure/voice/relay/relay-entrance.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { relayToken } from "../../../simulation/http/callback-signature.ts";
import { simulatedRelay } from "../../../simulation/http/simulated-relay.ts";
import { silentLogger, silentMetrics } from "../../../simulation/memory/silent.ts";
import { recordingListener } from "../../support/voice/recording-listener.ts";

const SECRET = "a-secret-of-both-sides";
const SETUP = JSON.stringify({ type: "setup", callSid: "sim_1", customParameters: { speed: 4 } });

const GARBAGE = [
  "",
  "{",
  "null",
  "[]",
  "\u0000",
  '{"type":7}',
  '{"type":"prompt"}',
  '{"type":"dtmf","digit":"12"}',
  `{"type":"interrupt","utteranceUntilInterrupt":${"[".repeat(200)}`,
];

describe("the entrance of a relay", () => {
  let server: FastifyInstance;
  let entrance: SocketEntrance;
  let url = "";
  let told: string[] = [];
  let arrivals: SessionArrival[] = [];
  let refused: unknown[] = [];
  let warnings: string[] = [];
  const sockets: WebSocket[] = [];

  beforeEach(async () => {
    told = [];
    arrivals = [];
    refused = [];
    warnings = [];
    entrance = createRelayEntrance({
      ...simulatedRelay(SECRET, systemClock),
      clock: systemClock,
      logger: { ...silentLogger, warn: (_fields, message) => void warnings.push(message) },
      metrics: { ...silentMetrics, count: (_name, labels) => void refused.push(...Object.values(labels)) },
      livenessOf: async (callId) =>
        callId === "call_old" ? "ended" : callId.startsWith("call_live") ? "live" : "unknown",
      conversations: {
        arrive: async (arrival) => {
          arrivals.push(arrival);
          return arrival.callId === "call_live_refused" ? null : recordingListener(told);
        },
      },
    });
    server = fastify({ forceCloseConnections: true });
    registerWebSockets(server);
    server.register(async (scoped) => registerSocketEntrances(scoped, [entrance]));
    url = await server.listen({ host: "127.0.0.1", port: 0 });
  });

  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.terminate();
    await server.close();
  });

  const addressOf = (callId: string, token = relayToken(SECRET, callId, Date.now())) =>
    `${url.replace("http", "ws")}/carrier/simulated/${callId}/relay?token=${token}`;

  const opened = async (callId: string) => {
    const socket = new WebSocket(addressOf(callId));
    sockets.push(socket);
    const closed = new Promise<number>((resolve) => socket.once("close", resolve));
    await new Promise<void>((resolve, reject) => {
      socket.once("open", resolve);
      socket.once("error", reject);
    });
    return { socket, closed };
  };

  const refusal = (address: string) =>
    new Promise<number>((resolve) => {
      const socket = new WebSocket(address);
      sockets.push(socket);
      socket.on("error", () => undefined);
      socket.on("open", () => resolve(101));
      socket.on("unexpected-response", (_request, response) => resolve(response.statusCode ?? 0));
    });

  it("refuses before the upgrade who is not the carrier, a call that it does not know, and one that has ended", async () => {
    expect(await refusal(addressOf("call_live", ""))).toBe(403);
    expect(await refusal(addressOf("call_live", relayToken("another secret", "call_live", Date.now())))).toBe(
      403,
    );
    expect(await refusal(addressOf("call_live", relayToken(SECRET, "call_live2", Date.now())))).toBe(403);
    expect(await refusal(addressOf("call_live", relayToken(SECRET, "call_live", Date.now() - 400_000)))).toBe(
      403,
    );
    expect(await refusal(addressOf("call_none"))).toBe(404);
    expect(await refusal(addressOf("call_old"))).toBe(410);
    expect(await refusal(addressOf("call_live"))).toBe(101);
  });

  it("gives the session to the conversation after the setup, and takes what came meanwhile", async () => {
    const { socket } = await opened("call_live");
    socket.send(SETUP);
    socket.send(JSON.stringify({ type: "prompt", voicePrompt: "Hello?", lang: "en-US", last: true }));
    socket.send(JSON.stringify({ type: "of a later release" }));
    socket.send(JSON.stringify({ type: "error", description: "something" }));
    socket.send(JSON.stringify({ type: "dtmf", digit: "5" }));
    await eventually("the words", () => told.length === 3);
    expect(told).toEqual(["speech", "said Hello?", "digit 5"]);
    expect(arrivals[0]).toMatchObject({ callId: "call_live", session: { kind: "relay", speed: 4 } });
  });

  it("makes words storable: halves of characters, NUL, and a cut that would go through a character", async () => {
    const { socket } = await opened("call_live");
    socket.send(SETUP);
    const prompts = ["hello \\ud83d there", "a\\u0000b", `${"x".repeat(8_191)}\\ud83d\\ude00`];
    for (const words of prompts)
      socket.send(`{"type":"prompt","voicePrompt":"${words}","lang":"en-US","last":true}`);
    await eventually("the words", () => told.filter((each) => each.startsWith("said")).length === 3);
    expect(told.filter((each) => each.startsWith("said"))).toEqual([
      "said hello \ufffd there",
      "said a\ufffdb",
      `said ${"x".repeat(8_191)}`,
    ]);
  });

  it("takes the length of what was heard as a number and as a text", async () => {
    const { socket } = await opened("call_live");
    socket.send(SETUP);
    const { session } = await eventually("the session", () => arrivals[0]);
    for (const [id, millis] of [
      [1, 700],
      [2, "900"],
    ] as const) {
      session.say(id, "One moment, please, I am looking.", true, {
        interruptible: true,
        voice: null,
        language: null,
      });
      const frame = {
        type: "interrupt",
        utteranceUntilInterrupt: "One moment",
        durationUntilInterruptMs: millis,
      };
      socket.send(JSON.stringify(frame));
      await eventually("the cut", () => told.some((each) => each.startsWith(`cut ${id}`)));
    }
    expect(told.filter((each) => each.startsWith("cut"))).toEqual([
      'cut 1 "One moment" 700 exact',
      'cut 2 "One moment" 900 exact',
    ]);
  });

  it("closes the socket of a session that nobody takes, so that it may come again", async () => {
    const { socket, closed } = await opened("call_live_refused");
    socket.send(SETUP);
    expect(await closed).toBe(1_013);
  });

  it("closes a socket that floods it, and counts nothing of it any more", async () => {
    const { socket, closed } = await opened("call_live");
    socket.send(SETUP);
    for (let n = 0; n < 2_000; n += 1) socket.send(JSON.stringify({ type: "dtmf", digit: "1" }));
    expect(await closed).toBe(1_008);
    expect(told.filter((each) => each === "digit 1").length).toBeLessThan(600);
    expect(told.at(-1)).toBe("closed refused");
  });

  it("takes none of ten thousand frames of garbage, says once that it closed the socket, and serves the next one", async () => {
    const { socket, closed } = await opened("call_live");
    socket.send(SETUP);
    await eventually("the session", () => arrivals[0]);
    for (let n = 0; n < 10_000; n += 1) socket.send(GARBAGE[n % GARBAGE.length] ?? "");
    expect(await closed).toBe(1_008);
    expect(told).toEqual(["closed refused"]);
    expect(refused).toEqual(["malformed"]);
    expect(warnings).toEqual(["relay socket closed"]);
    const next = await opened("call_live_2");
    next.socket.send(SETUP);
    await eventually("the next session", () => arrivals[1]);
  });

  it("closes a socket after too many frames that are none, and one whose frame is too large", async () => {
    const nonsense = await opened("call_live");
    nonsense.socket.send(SETUP);
    for (let n = 0; n < 21; n += 1) nonsense.socket.send("no frame");
    expect(await nonsense.closed).toBe(1_008);
    const large = await opened("call_live_2");
    large.socket.send("x".repeat(70_000));
    expect(await large.closed).toBe(1_009);
  });

  it("leaves every session when the service stops, and lets nobody in any more", async () => {
    const { socket, closed } = await opened("call_live");
    socket.send(SETUP);
    await eventually("the session", () => arrivals[0]);
    entrance.leave();
    expect(await closed).toBe(1_001);
    expect(told).toEqual(["closed session_lost"]);
    expect(await refusal(addressOf("call_live"))).toBe(503);
  });
});
