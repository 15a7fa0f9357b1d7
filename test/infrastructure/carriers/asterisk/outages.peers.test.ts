import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CarrierEvent, PlaceCall } from "../../../../application/ports/carrier.ts";
import type { Metrics } from "../../../../application/ports/metrics.ts";
import { eventually } from "../../../../simulation/drills/eventually.ts";
import { silentMetrics } from "../../../../simulation/memory/silent.ts";
import { dialOf, inMillis, LATEST } from "../../../contracts/carrier/carrier-world.ts";
import { type ReplyProxy, startReplyProxy } from "../../../support/carriers/reply-proxy.ts";
import { type OpenedCarrier, openCarrierOn } from "../../../support/telephony/asterisk-carrier.ts";
import { type AsteriskServer, startAsterisk } from "../../../support/telephony/asterisk-server.ts";
import { clockAheadBy } from "../../../support/telephony/moved-clock.ts";
import { numberAnswering, type SippTrunk, startSipp } from "../../../support/telephony/sipp-trunk.ts";
import { politeConversations } from "../../../support/voice/polite-conversations.ts";

let sipp: SippTrunk;
let asterisk: AsteriskServer;
let proxy: ReplyProxy;
const events: CarrierEvent[] = [];
const sink = async (event: CarrierEvent) => void events.push(event);
const hears = <Type extends CarrierEvent["type"]>(call: PlaceCall, type: Type) =>
  eventually(`${type} of ${call.callId}`, () =>
    events.find(
      (event): event is Extract<CarrierEvent, { type: Type }> =>
        event.callId === call.callId && event.type === type,
    ),
  );
const askedOf = (call: PlaceCall, instance: string | null) => ({
  callId: call.callId,
  carrierRef: null,
  instance,
  dialBy: call.dialBy,
});
const opened = async (options: Parameters<typeof openCarrierOn>[1] = {}): Promise<OpenedCarrier> => {
  const carrier = await openCarrierOn(asterisk, { sink, ...options });
  await carrier.ready();
  return carrier;
};
const channels = async (): Promise<string[]> => {
  const { body } = await asterisk.ari("GET", "/channels");
  return Array.isArray(body) ? body.map(({ id }) => String(id)) : [];
};

beforeAll(async () => {
  sipp = await startSipp();
  asterisk = await startAsterisk([{ context: "ringfold-dial", name: "trunk", port: sipp.port }]);
  proxy = await startReplyProxy(asterisk.httpPort);
});

afterAll(async () => {
  await proxy.close();
  await asterisk.close();
  expect([...sipp.journal().values()].filter((count) => count > 1)).toEqual([]);
  await sipp.close();
});

describe("a network that is cut", () => {
  it("lets nobody be dialled until events come again, and tells then what happened meanwhile", async () => {
    const counted: string[] = [];
    const metrics: Metrics = { ...silentMetrics, count: (name) => void counted.push(name) };
    const open = await opened({ port: proxy.port, metrics });
    const call = dialOf(numberAnswering(180), { ringTimeoutSeconds: 1 });
    await open.carrier.placeCall(call, LATEST);
    await hears(call, "ringing");
    proxy.cut();
    await eventually("the way to be closed", async () => !(await open.carrier.available()));
    expect(await open.carrier.refuses()).toMatch(/Asterisk/);
    const refused = dialOf(numberAnswering(200));
    expect(await open.carrier.placeCall(refused, LATEST)).toMatchObject({
      kind: "rejected",
      endReason: "not_placed",
      noAnswerAtAll: true,
    });
    expect(await open.carrier.instance()).toBeNull();
    await eventually("the call to be over", async () => !(await channels()).includes(call.callId));
    proxy.mend();
    await open.ready();
    expect(await hears(call, "ended")).toMatchObject({ endReason: "no_answer" });
    expect(sipp.invites(refused.to)).toBe(0);
    await open.stop();
    expect(counted.filter((name) => name === "ringfold_asterisk_reconnects_total")).toHaveLength(1);
  });

  it("does not hide how a call ended whose note could not be read at first", async () => {
    const open = await opened({ port: proxy.port });
    const call = dialOf(numberAnswering(404));
    const before = proxy.happened();
    proxy.loseReply([`variable=RF_${call.callId}`]);
    await open.carrier.placeCall(call, LATEST);
    expect(await hears(call, "ended")).toMatchObject({ endReason: "invalid_number", carrierCode: "404" });
    expect(proxy.happened()).toBe(before + 1);
    await open.stop();
  });

  it("carries a request that was held up to a dialplan that refuses it", async () => {
    const open = await opened({ port: proxy.port });
    const instance = await open.carrier.instance();
    proxy.delayRequest(["POST /ari/channels?"], 2_000);
    const call = dialOf(numberAnswering(200), { dialBy: inMillis(500) });
    await open.carrier.placeCall(call, LATEST);
    await hears(call, "ended");
    expect(sipp.invites(call.to)).toBe(0);
    await eventually("the proof", async () => {
      const looked = await open.carrier.lookup(askedOf(call, instance));
      return looked.kind === "never_dialled";
    });
    await open.stop();
  });
});

describe("Asterisk that stands still", () => {
  it("dials nobody after it wakes, when it wakes too late", async () => {
    const open = await opened();
    const instance = await open.carrier.instance();
    const call = dialOf(numberAnswering(200), { dialBy: inMillis(1_000) });
    asterisk.freeze();
    const placed = open.carrier.placeCall(call, LATEST);
    await eventually("the way to be closed", async () => !(await open.carrier.available()));
    await eventually("the dial to be late", () => Date.parse(call.dialBy) + 1_000 < Date.now());
    asterisk.thaw();
    expect((await placed).kind).not.toBe("throttled");
    await open.ready();
    await eventually("the proof", async () => {
      const looked = await open.carrier.lookup(askedOf(call, instance));
      return looked.kind === "never_dialled";
    });
    expect(sipp.invites(call.to)).toBe(0);
    await open.stop();
  });
});

describe("a process that is gone", () => {
  it("has its calls hung up by another one, whoever rings or talks", async () => {
    const conversations = politeConversations();
    const dying = await opened({ processId: "dying", conversations });
    const [talking, ringing] = [dialOf(numberAnswering(200)), dialOf(numberAnswering(180))];
    await dying.carrier.placeCall(talking, LATEST);
    await dying.carrier.placeCall(ringing, LATEST);
    await eventually("the conversation", () => conversations.talks.length === 1);
    await hears(ringing, "ringing");
    await dying.die();
    const heir = await opened({ processId: "heir" });
    await eventually("nothing to be left", async () => (await channels()).length === 0);
    for (const call of [talking, ringing]) expect(sipp.invites(call.to)).toBe(1);
    await heir.stop();
  });

  it("talks again when it comes back under its name, and records on in one recording", async () => {
    const conversations = politeConversations();
    const before = await opened({ conversations });
    const call = dialOf(numberAnswering(200), { recorded: true });
    await before.carrier.placeCall(call, LATEST);
    await eventually("the conversation", () => conversations.talks.length === 1);
    const began = performance.now();
    await eventually("a second of the recording", () => performance.now() - began > 1_000);
    await before.die();
    const cameBack = performance.now();
    const again = await opened({ conversations });
    await eventually("the conversation to go on", () => conversations.talks.length === 2);
    expect(performance.now() - cameBack).toBeLessThan(5_000);
    await again.carrier.hangUp(askedOf(call, null));
    expect(await hears(call, "ended")).toMatchObject({ recordingExpected: true });
    const { recordingRef } = await hears(call, "recording");
    const recording = await again.carrier.recording(String(recordingRef));
    if (recording.kind !== "found") throw new Error(`the recording is ${recording.kind}`);
    const bytes = Buffer.concat(await Array.fromAsync(recording.bytes));
    expect(bytes.subarray(0, 4).toString()).toBe("RIFF");
    expect(bytes.length).toBeGreaterThan(8_000);
    expect(await again.carrier.deleteRecording(String(recordingRef))).toBe("done");
    expect(await again.carrier.deleteRecording(String(recordingRef))).toBe("done");
    expect(await again.carrier.recording(String(recordingRef))).toEqual({ kind: "absent" });
    await again.stop();
  });
});

describe("what Asterisk remembers of a dial", () => {
  it("remembers the dials of this installation, also those of processes that are gone, since a moment", async () => {
    const since = inMillis(0);
    const calls = [dialOf(numberAnswering(486)), dialOf(numberAnswering(486))];
    const open = await opened({ processId: "one" });
    for (const call of calls) await open.carrier.placeCall(call, LATEST);
    await open.stop();
    const other = await opened({ processId: "another" });
    const third = dialOf(numberAnswering(486));
    await other.carrier.placeCall(third, LATEST);
    await other.stop();
    const again = await opened({ processId: "one" });
    const remembered = await again.carrier.callsSince(since);
    await again.stop();
    expect(remembered).toMatchObject({ kind: "calls" });
    const ids = remembered.kind === "calls" ? remembered.calls.map(({ callId }) => callId) : [];
    expect(ids.toSorted()).toEqual([...calls, third].map(({ callId }) => callId).toSorted());
    expect(remembered.kind === "calls" && remembered.calls[0]).toMatchObject({ from: "+15005550100" });
  });

  it("is cleared after a day; then nobody can say any more that the dial never came", async () => {
    const first = await opened({ processId: "yesterday" });
    const instance = await first.carrier.instance();
    const call = dialOf(numberAnswering(486));
    await first.carrier.placeCall(call, LATEST);
    await hears(call, "ended");
    await first.stop();
    const variable = async (name: string) => {
      const { body } = await asterisk.ari("GET", "/asterisk/variable", { variable: name });
      return (body as { readonly value: string }).value;
    };
    const lookedUp = async (hours: number) => {
      const clock = clockAheadBy(hours * 3_600_000);
      const later = await openCarrierOn(asterisk, { processId: "yesterday", clock });
      const sign = "RF_ALIVE_rf-019900000000-yesterdayasterisk";
      const began = Number(await variable(sign));
      await eventually("a sign of life", async () => Number(await variable(sign)) < began || began < 2);
      await eventually("two more", async () => Number(await variable(sign)) >= 3);
      const looked = await later.carrier.lookup(askedOf(call, instance));
      await later.stop();
      return [looked.kind, (await variable(`RF_${call.callId}`)) !== ""];
    };
    expect(await lookedUp(23.9)).toEqual(["found", true]);
    expect(await lookedUp(24.1)).toEqual(["ambiguous", false]);
    expect(sipp.invites(call.to)).toBe(1);
  });
});

describe("Asterisk that is killed", () => {
  it("loses who was talking, leaves who was ringing to be looked up in vain, and is another far side afterwards", async () => {
    const open = await opened();
    const instance = await open.carrier.instance();
    const [talking, ringing] = [dialOf(numberAnswering(200)), dialOf(numberAnswering(180))];
    await open.carrier.placeCall(talking, LATEST);
    await open.carrier.placeCall(ringing, LATEST);
    await hears(talking, "answered");
    await hears(ringing, "ringing");
    await asterisk.kill();
    expect((await open.carrier.lookup(askedOf(ringing, instance))).kind).toBe("unavailable");
    expect((await open.carrier.placeCall(dialOf(numberAnswering(200)), LATEST)).kind).toBe("rejected");
    await asterisk.startAgain();
    await open.ready();
    expect(await hears(talking, "ended")).toMatchObject({ endReason: "connection_lost" });
    expect(await open.carrier.lookup(askedOf(ringing, instance))).toEqual({ kind: "ambiguous" });
    expect(await open.carrier.hangUp(askedOf(ringing, instance))).toBe("unknown");
    expect(await open.carrier.instance()).not.toBe(instance);
    const next = dialOf(numberAnswering(486));
    await open.carrier.placeCall(next, LATEST);
    expect(await hears(next, "ended")).toMatchObject({ endReason: "busy" });
    await open.stop();
  });
});
