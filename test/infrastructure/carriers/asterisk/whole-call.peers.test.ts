import { afterAll, beforeAll, expect, it } from "vitest";
import type { CarrierEvent } from "../../../../application/ports/carrier.ts";
import type { SpeechHeard } from "../../../../application/ports/speech.ts";
import { eventually } from "../../../../simulation/drills/eventually.ts";
import { dialOf, LATEST } from "../../../contracts/carrier/carrier-world.ts";
import { startReplyProxy } from "../../../support/carriers/reply-proxy.ts";
import { openCarrierOn } from "../../../support/telephony/asterisk-carrier.ts";
import { type AsteriskServer, startAsterisk } from "../../../support/telephony/asterisk-server.ts";
import { numberAnswering, type SippTrunk, startSipp } from "../../../support/telephony/sipp-trunk.ts";

let sipp: SippTrunk;
let asterisk: AsteriskServer;

beforeAll(async () => {
  sipp = await startSipp();
  asterisk = await startAsterisk([{ context: "ringfold-dial", name: "trunk", port: sipp.port }]);
});

afterAll(async () => {
  await asterisk.close();
  await sipp.close();
});

/** A second of µ-law that is like nothing else: signs and sizes drawn from a seed, 100 samples a step. */
function signature(): Uint8Array {
  let seed = 12_345;
  return Uint8Array.from({ length: 8_000 }, (_, at) => {
    if (at % 100 === 0) seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    const isHigh = Math.floor(at / (4 + (seed % 7))) % 2 === 0;
    return isHigh ? 0x90 : 0x10;
  });
}

const PIECE = 1_000;

/**
 * How many of six pieces of an eighth of a second came back: their signs agree at some delay. Each piece may
 * have its own delay, because a packet that is late is played later, or not at all.
 */
function piecesHeard(sent: Uint8Array, heard: Uint8Array): number {
  const sign = (sample: number) => ((sample & 0x7f) > 0x50 ? 0 : sample & 0x80 ? 1 : -1);
  const signs = Int8Array.from(heard, sign);
  const pieces = Array.from({ length: 6 }, (_, piece) =>
    Int8Array.from(sent.subarray((piece + 1) * PIECE, (piece + 2) * PIECE), sign),
  );
  return pieces.filter((piece) => likeness(piece, signs) > 0.8).length;
}

/** −1 to 1: how alike both are, at the best of all delays. */
function likeness(wanted: Int8Array, signs: Int8Array): number {
  let best = -1;
  for (let delay = 0; delay + wanted.length <= signs.length; delay += 1) {
    let sum = 0;
    for (let at = 0; at < wanted.length; at += 4) sum += (wanted[at] ?? 0) * (signs[delay + at] ?? 0);
    best = Math.max(best, sum / (wanted.length / 4));
  }
  return best;
}

it("carries the greeting to the telephone and its sound back, tells when it was heard, and ends when we hang up", async () => {
  const greeting = signature();
  const heard: Uint8Array[] = [];
  const told: string[] = [];
  const events: CarrierEvent[] = [];
  const open = await openCarrierOn(asterisk, {
    sink: async (event) => void events.push(event),
    speech: {
      voice: {
        speak: async function* () {
          yield greeting;
        },
      },
      ear: {
        listen: (_options: unknown, _heard: SpeechHeard) => ({
          push: (audio) => void heard.push(Uint8Array.from(audio)),
          close: () => undefined,
        }),
      },
    },
    conversations: {
      arrive: async ({ session }) => {
        session.say(1, "Good day.", true, { interruptible: false, voice: null, language: null });
        return {
          speechStarted: () => told.push("speech"),
          customerSaid: () => told.push("said"),
          heardWhole: (id) => told.push(`heard ${id}`),
          cut: (id) => told.push(`cut ${id}`),
          digit: () => undefined,
          silence: () => undefined,
          machineHeard: () => undefined,
          closed: (cause) => told.push(`closed ${cause}`),
        };
      },
    },
  });
  await open.ready();
  const call = dialOf(numberAnswering(200), { recorded: true });
  const began = performance.now();
  await open.carrier.placeCall(call, LATEST);
  await eventually("the answer", () => events.some(({ type }) => type === "answered"));
  const answered = performance.now() - began;
  await eventually("the greeting to be heard", () => told.includes("heard 1"));
  await eventually("its echo", () => Buffer.concat(heard).length > 12_000);
  expect(piecesHeard(greeting, Buffer.concat(heard))).toBeGreaterThanOrEqual(4);
  expect(piecesHeard(greeting.toReversed(), Buffer.concat(heard))).toBe(0);
  expect(answered).toBeLessThan(5_000);
  await open.carrier.hangUp({ callId: call.callId, carrierRef: null, instance: null, dialBy: call.dialBy });
  await eventually("the recording", () => events.some(({ type }) => type === "recording"));
  await eventually("the end", () => events.some(({ type }) => type === "ended"));
  await eventually("the session's last word", () => told.at(-1)?.startsWith("closed ") === true);
  // Which of the last two comes first is Asterisk's to say.
  const types = events.map(({ type }) => type);
  expect([types.slice(0, 2), types.slice(2).toSorted()]).toEqual([
    ["ringing", "answered"],
    ["ended", "recording"],
  ]);
  expect(sipp.invites(call.to)).toBe(1);
  await open.stop();
});

it("dials nobody while Asterisk answers and its events do not come: whoever picked up would be dropped", async () => {
  const proxy = await startReplyProxy(asterisk.httpPort);
  const open = await openCarrierOn(asterisk, { port: proxy.port });
  await open.ready();
  proxy.cutWebSockets();
  await eventually("the way to be closed", async () => !(await open.carrier.available()));
  const authorization = `Basic ${btoa(`${asterisk.user}:${asterisk.password}`)}`;
  const asked = await fetch(`http://127.0.0.1:${proxy.port}/ari/asterisk/ping`, {
    headers: { authorization },
  });
  expect(asked.status).toBe(200);
  const call = dialOf(numberAnswering(200));
  expect(await open.carrier.placeCall(call, LATEST)).toMatchObject({
    kind: "rejected",
    endReason: "not_placed",
  });
  proxy.mend();
  await open.ready();
  const next = dialOf(numberAnswering(486));
  expect(await open.carrier.placeCall(next, LATEST)).toMatchObject({ kind: "accepted" });
  await eventually("the next dial", () => sipp.invites(next.to) === 1);
  expect(sipp.invites(call.to)).toBe(0);
  await open.stop();
  await proxy.close();
});

it("takes away the bridges that a process left behind whose calls are over, and no other's", async () => {
  const make = (id: string) => asterisk.ari("POST", "/bridges", { type: "mixing", bridgeId: id });
  const ids = async () =>
    ((await asterisk.ari("GET", "/bridges")).body as { id: string }[]).map(({ id }) => id);
  await make("bridge_call_of_the_dead");
  await make("conference-of-somebody-else");
  const open = await openCarrierOn(asterisk);
  await open.ready();
  await eventually("only the other's", async () => (await ids()).length === 1, 2_000);
  expect(await ids()).toEqual(["conference-of-somebody-else"]);
  await open.stop();
  await asterisk.ari("DELETE", "/bridges/conference-of-somebody-else");
});
