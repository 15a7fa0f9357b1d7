import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openPhoneLine, type PhoneLine } from "../../../application/phone/phone-line.ts";
import type { CarrierEvent, PlaceCall } from "../../../application/ports/carrier.ts";
import type { Notifications } from "../../../application/ports/notifications.ts";
import type { SessionArrival } from "../../../application/ports/voice-session.ts";
import type { FromPhone, ToPhone } from "../../../contract/phone.ts";
import type { CallId, OwnerId } from "../../../domain/shared/ids.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { createNotifications } from "../../../infrastructure/postgres/notifications.ts";
import { phoneRows } from "../../../infrastructure/postgres/phone-rows.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { askedAbout, dialRequest } from "../../simulation/carrier/carrier-harness.ts";
import { type WorkDatabase, workDatabase } from "../../support/work-database.ts";
import { listenerThatTells } from "./told-sessions.ts";

const SOON = () => systemClock.monotonicMillis() + 5_000;

type Process = {
  readonly line: PhoneLine;
  readonly events: CarrierEvent[];
  readonly arrivals: (SessionArrival & { readonly told: unknown[][] })[];
  readonly notifications: Notifications;
};

describe("the phone line", () => {
  let database: WorkDatabase;
  let one: Process;
  let other: Process;
  beforeEach(async () => {
    database = await workDatabase();
    one = await startProcess("one");
    other = await startProcess("other");
  });
  afterEach(async () => {
    for (const { line, notifications } of [one, other]) {
      await line.stop();
      await notifications.close();
    }
    await database.drop();
  });

  async function startProcess(processId: string): Promise<Process> {
    const notifications = createNotifications(database.pool, silentLogger);
    await notifications.start();
    const events: CarrierEvent[] = [];
    const arrivals: Process["arrivals"] = [];
    const line = openPhoneLine({
      rows: phoneRows(database.pool),
      notifications,
      sink: async (event) => void events.push(event),
      conversations: () => ({
        arrive: async (arrival) => {
          const { listener, told } = listenerThatTells();
          arrivals.push({ ...arrival, told });
          return listener;
        },
      }),
      endReasonOf: async () => null,
      processId,
      clock: systemClock,
      logger: silentLogger,
    });
    return { line, events, arrivals, notifications };
  }

  async function phoneAt({ line }: Process, owner: OwnerId, phoneId: string) {
    const frames: ToPhone[] = [];
    const phone = await line.phones.connect(owner, phoneId, {
      send: (frame) => frames.push(frame),
      close: () => undefined,
    });
    const send = (frame: FromPhone) => phone.receive(frame);
    const got = (type: ToPhone["type"]) =>
      eventually(`the frame ${type}`, () => frames.find((frame) => frame.type === type), 10_000);
    return { frames, send, got, left: phone.left };
  }

  async function call(changes: Partial<PlaceCall> = {}): Promise<CallId> {
    const request = dialRequest("+15005550099", { owner: "usr_1", assistantName: "Ada", ...changes });
    expect((await one.line.telephony.placeCall(request, SOON())).kind).toBe("accepted");
    return request.callId;
  }

  it("rings at all phones of its owner, in every process, and at nobody else's", async () => {
    const here = await phoneAt(one, "usr_1", "here");
    const there = await phoneAt(other, "usr_1", "there");
    const foreign = await phoneAt(other, "usr_2", "foreign");
    const callId = await call();
    const ringing = { type: "ringing", callId, from: "+15005550100", assistantName: "Ada" };
    expect(await here.got("ringing")).toEqual(ringing);
    expect(await there.got("ringing")).toEqual(ringing);
    expect(foreign.frames).toEqual([]);
  });

  it("is the first one's who answers, and the others stop ringing", async () => {
    const here = await phoneAt(one, "usr_1", "here");
    const there = await phoneAt(other, "usr_1", "there");
    const callId = await call();
    await there.got("ringing");
    there.send({ type: "answer", callId });
    expect(await there.got("answered")).toEqual({ type: "answered", callId });
    expect(await here.got("ended")).toEqual({ type: "ended", callId, endReason: null });
    here.send({ type: "answer", callId });
    await eventually("the answer's event", () => other.events.length === 1);
    expect(other.events).toEqual([
      expect.objectContaining({ type: "answered", callId, answeredBy: "human" }),
    ]);
    expect([one.events, one.arrivals.length, other.arrivals.length]).toEqual([[], 0, 1]);
  });

  it("is a number that cannot be reached while no phone is open", async () => {
    const request = dialRequest("+15005550099", { owner: "usr_1" });
    const phone = await phoneAt(one, "usr_1", "here");
    phone.left();
    await eventually("the phone is gone", async () => {
      const { rowCount } = await database.pool.query("select 1 from work.phones");
      return rowCount === 0;
    });
    expect(await one.line.telephony.placeCall(request, SOON())).toMatchObject({
      kind: "rejected",
      endReason: "unreachable",
    });
    expect(await one.line.telephony.lookup(askedAbout(request.callId))).toEqual({ kind: "absent" });
  });

  it("can be declined, and rings out", async () => {
    const phone = await phoneAt(other, "usr_1", "here");
    const declined = await call();
    await phone.got("ringing");
    phone.send({ type: "decline", callId: declined });
    await eventually("the end", () => other.events.find(({ type }) => type === "ended"));
    expect(other.events).toEqual([
      expect.objectContaining({ callId: declined, endReason: "declined", endedBy: "customer" }),
    ]);
    const unanswered = await call({ ringTimeoutSeconds: 1 });
    await eventually("the end", () => one.events.find(({ callId }) => callId === unanswered), 15_000);
    expect(one.events).toEqual([
      expect.objectContaining({ callId: unanswered, endReason: "no_answer", answeredAt: null }),
    ]);
    expect(await other.line.telephony.lookup(askedAbout(unanswered))).toMatchObject({
      kind: "found",
      status: "ended",
      endReason: "no_answer",
    });
  });

  it("is hung up by the phone that has it, or by us from any process", async () => {
    const phone = await phoneAt(other, "usr_1", "here");
    const [mine, ours] = [await call(), await call()];
    for (const callId of [mine, ours]) {
      await eventually("ringing", () =>
        phone.frames.some((frame) => frame.type === "ringing" && frame.callId === callId),
      );
      phone.send({ type: "answer", callId });
      await eventually("the session", () => other.arrivals.some((arrival) => arrival.callId === callId));
    }
    phone.send({ type: "hang_up", callId: mine });
    await eventually("its end", () => other.events.some(({ type }) => type === "ended"));
    expect(await one.line.telephony.hangUp(askedAbout(ours))).toBe("done");
    expect(await one.line.telephony.hangUp(askedAbout(ours))).toBe("already_ended");
    await eventually("both sessions closed", () =>
      other.arrivals.every(({ told }) => told.some(([name]) => name === "closed")),
    );
    expect(other.arrivals.map(({ told }) => told.at(-1))).toEqual([
      ["closed", "hung_up"],
      ["closed", "hung_up"],
    ]);
    await eventually("both told", () => phone.frames.filter(({ type }) => type === "ended").length === 2);
  });

  it("goes on when its phone comes back, at any process", async () => {
    const phone = await phoneAt(one, "usr_1", "mine");
    const callId = await call();
    await phone.got("ringing");
    phone.send({ type: "answer", callId });
    await eventually("the session", () => one.arrivals.length === 1);
    phone.left();
    await eventually("the session is lost", () => one.arrivals[0]?.told.length === 1);
    expect(one.arrivals[0]?.told).toEqual([["closed", "session_lost"]]);
    const back = await phoneAt(other, "usr_1", "mine");
    expect(await back.got("answered")).toEqual({ type: "answered", callId });
    await eventually("the session goes on", () => other.arrivals.length === 1);
    back.send({ type: "said", callId, text: "Hello again" });
    expect(other.arrivals[0]?.told).toEqual([["customerSaid", "Hello again", null, false]]);
    expect(await one.line.telephony.lookup(askedAbout(callId))).toMatchObject({
      kind: "found",
      status: "connected",
    });
  });

  it("is lost when its phone stays away for 10 seconds", async () => {
    const phone = await phoneAt(one, "usr_1", "mine");
    const callId = await call();
    await phone.got("ringing");
    phone.send({ type: "answer", callId });
    await eventually("the session", () => one.arrivals.length === 1);
    phone.left();
    await eventually("the end", () => one.events.find(({ type }) => type === "ended"), 30_000);
    expect(one.events.at(-1)).toMatchObject({ type: "ended", callId, endReason: "connection_lost" });
  });
});
