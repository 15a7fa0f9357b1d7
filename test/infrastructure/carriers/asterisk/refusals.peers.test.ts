import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CarrierEvent, PlaceCall } from "../../../../application/ports/carrier.ts";
import type { Metrics } from "../../../../application/ports/metrics.ts";
import { variableSchema } from "../../../../infrastructure/carriers/asterisk/ari/ari-schemas.ts";
import { eventually } from "../../../../simulation/drills/eventually.ts";
import { silentMetrics } from "../../../../simulation/memory/silent.ts";
import { dialOf, inMillis, LATEST } from "../../../contracts/carrier/carrier-world.ts";
import { startReplyProxy } from "../../../support/carriers/reply-proxy.ts";
import { type OpenedCarrier, openCarrierOn } from "../../../support/telephony/asterisk-carrier.ts";
import { type AsteriskServer, startAsterisk } from "../../../support/telephony/asterisk-server.ts";
import { freeUdpPort } from "../../../support/telephony/free-ports.ts";
import { clockAheadBy } from "../../../support/telephony/moved-clock.ts";
import {
  FOLLOWED,
  numberAnswering,
  type SippTrunk,
  startSipp,
} from "../../../support/telephony/sipp-trunk.ts";

type Ended = Extract<CarrierEvent, { type: "ended" }>;

let sipp: SippTrunk;
let asterisk: AsteriskServer;
const events: CarrierEvent[] = [];
const sink = async (event: CarrierEvent) => void events.push(event);
const told = (call: PlaceCall) => events.filter(({ callId }) => callId === call.callId);
const ended = (call: PlaceCall): Promise<Ended> =>
  eventually(`the end of ${call.callId}`, () =>
    told(call).find((event): event is Ended => event.type === "ended"),
  );

/** The channels that came to where the trunk sends them. */
const followed = async (): Promise<string> => {
  const { body } = await asterisk.ari("GET", "/asterisk/variable", { variable: FOLLOWED });
  return variableSchema.parse(body).value;
};

beforeAll(async () => {
  sipp = await startSipp();
  asterisk = await startAsterisk([
    { context: "ringfold-dial", name: "trunk", port: sipp.port },
    { context: "wrong-password", name: "trunk-wrong", port: sipp.port, password: "not-this-one" },
    { context: "trunk-down", name: "trunk-down", port: await freeUdpPort(), qualified: true },
    { context: "older", name: "trunk", port: sipp.port, older: true },
    { context: "redirects", name: "trunk-redirects", port: sipp.port, redirects: "uri_pjsip" },
    { context: "no-trunk", name: "nobody", port: null },
  ]);
});

afterAll(async () => {
  await asterisk.close();
  expect([...sipp.journal().values()].filter((count) => count > 1)).toEqual([]);
  await sipp.close();
});

const opened = async (options: Parameters<typeof openCarrierOn>[1] = {}): Promise<OpenedCarrier> => {
  const carrier = await openCarrierOn(asterisk, { sink, ...options });
  await carrier.ready();
  return carrier;
};

describe("a trunk that refuses", () => {
  let open: OpenedCarrier;
  const counted: string[] = [];
  beforeAll(async () => {
    const count: Metrics["count"] = (name, labels) => {
      if (name === "ringfold_carrier_refusals_total") counted.push(Object.values(labels).join(" "));
    };
    open = await opened({ metrics: { ...silentMetrics, count } });
  });
  afterAll(() => open.stop());

  it.each([
    [486, "busy"],
    [600, "busy"],
    [480, "no_answer"],
    [487, "no_answer"],
    [603, "declined"],
    [607, "declined"],
    [608, "declined"],
    [404, "invalid_number"],
    [410, "invalid_number"],
    [484, "invalid_number"],
    [604, "invalid_number"],
    [408, "unreachable"],
    [403, "permission_denied"],
    [407, "permission_denied"],
    [488, "carrier_error"],
    [500, "carrier_error"],
    [502, "carrier_error"],
    [503, "carrier_error"],
    [504, "carrier_error"],
    [606, "carrier_error"],
  ] as const)("with SIP %i ends a call with %s", async (code, endReason) => {
    const call = dialOf(numberAnswering(code));
    expect(await open.carrier.placeCall(call, LATEST)).toMatchObject({ kind: "accepted" });
    expect(await ended(call)).toMatchObject({ endReason, answeredAt: null, carrierCode: String(code) });
    expect(sipp.invites(call.to)).toBe(1);
    expect(counted.at(-1)).toBe(`asterisk ${code}`);
  });

  it.each([300, 301, 302, 305, 380])(
    "with SIP %i, which names another place, ends a call, and nobody goes there",
    async (code) => {
      const call = dialOf(numberAnswering(code));
      expect(await open.carrier.placeCall(call, LATEST)).toMatchObject({ kind: "accepted" });
      await eventually("an answer or the end", () => told(call).some(({ type }) => type !== "ringing"));
      const end = { type: "ended", endReason: "carrier_error", answeredAt: null, carrierCode: String(code) };
      expect(told(call).at(-1)).toMatchObject(end);
      expect(await followed()).toBe("");
      expect(sipp.invites(call.to)).toBe(1);
      expect(counted.at(-1)).toBe(`asterisk ${code}`);
    },
  );

  it("after the answer by a transfer to another place gets nobody there, and our call goes on", async () => {
    const call = dialOf(numberAnswering(202));
    await open.carrier.placeCall(call, LATEST);
    await eventually(
      "what became of the transfer",
      async () => sipp.transferred(call.to) || (await followed()) !== "",
    );
    expect(await followed()).toBe("");
    const asked = { callId: call.callId, carrierRef: null, instance: null, dialBy: call.dialBy };
    expect(await open.carrier.lookup(asked)).toMatchObject({ kind: "found", endedAt: null });
    expect(await open.carrier.hangUp(asked)).toBe("done");
    expect(await ended(call)).toMatchObject({ endReason: "api_ended" });
  });

  it("by never answering ends a call with no_answer, after the ring timeout", async () => {
    const call = dialOf(numberAnswering(180), { ringTimeoutSeconds: 1 });
    await open.carrier.placeCall(call, LATEST);
    expect(await ended(call)).toMatchObject({ endReason: "no_answer", answeredAt: null });
  });

  it("is not taken for an answer while it only plays early media", async () => {
    const call = dialOf(numberAnswering(183));
    await open.carrier.placeCall(call, LATEST);
    await eventually("the INVITE", () => sipp.invites(call.to) === 1);
    const asked = { callId: call.callId, carrierRef: null, instance: null, dialBy: call.dialBy };
    expect(await open.carrier.lookup(asked)).toMatchObject({ kind: "found", status: "ringing" });
    await eventually("the answer", () => told(call).some(({ type }) => type === "answered"));
    await open.carrier.hangUp(asked);
    expect((await ended(call)).answeredAt).not.toBeNull();
  });
});

describe("the guarded dial", () => {
  let open: OpenedCarrier;
  beforeAll(async () => {
    open = await opened();
  });
  afterAll(() => open.stop());

  it("rings a person once, however often the same call is dialled, at once and later", async () => {
    const call = dialOf(numberAnswering(486));
    const answers = await Promise.all(Array.from({ length: 10 }, () => open.carrier.placeCall(call, LATEST)));
    expect(answers.every(({ kind }) => kind === "accepted")).toBe(true);
    await ended(call);
    await open.carrier.placeCall(call, LATEST);
    await eventually("the second dial to be over", async () => {
      const { status } = await asterisk.ari("GET", `/channels/${call.callId}`);
      return status === 404;
    });
    expect(sipp.invites(call.to)).toBe(1);
    const asked = { callId: call.callId, carrierRef: null, instance: null, dialBy: call.dialBy };
    expect(await open.carrier.lookup(asked)).toMatchObject({ kind: "found", endReason: "busy" });
  });

  it("rings nobody when it is carried out too late, says so, and proves it afterwards", async () => {
    const call = dialOf(numberAnswering(200), { dialBy: inMillis(-6_000) });
    const instance = await open.carrier.instance();
    await open.carrier.placeCall(call, LATEST);
    expect(await ended(call)).toMatchObject({ endReason: "not_placed" });
    const asked = { callId: call.callId, carrierRef: null, instance, dialBy: call.dialBy };
    expect(await open.carrier.lookup(asked)).toMatchObject({ kind: "never_dialled" });
    expect(await open.carrier.lookup({ ...asked, instance: null })).toEqual({ kind: "ambiguous" });
    expect(sipp.invites(call.to)).toBe(0);
  });

  it("tells a process that comes later how a call ended that nobody heard end", async () => {
    const first = await opened({ processId: "dies", sink: async () => undefined });
    const instance = await first.carrier.instance();
    const call = dialOf(numberAnswering(180), { ringTimeoutSeconds: 1 });
    await first.carrier.placeCall(call, LATEST);
    await first.die();
    const asked = { callId: call.callId, carrierRef: null, instance, dialBy: call.dialBy };
    const found = await eventually("the note", async () => {
      const looked = await open.carrier.lookup(asked);
      return looked.kind === "found" && looked.status === "ended" && looked;
    });
    expect(found).toMatchObject({ endReason: "no_answer", answeredAt: null });
    expect(sipp.invites(call.to)).toBe(1);
  });
});

describe("what check finds", () => {
  const problems = async (options: Parameters<typeof openCarrierOn>[1]) => {
    const open = await openCarrierOn(asterisk, { sink, ...options });
    const refused = await open.carrier.refuses();
    const way = await open.check();
    const dialled = await open.carrier.placeCall(dialOf(numberAnswering(486)), LATEST);
    await open.stop();
    return {
      wrong: way.filter(({ ok }) => !ok).map(({ name }) => name),
      said: way.flatMap(({ ok, detail }) => (ok ? [] : [detail])),
      refused,
      dialled,
    };
  };

  it("nothing, where everything is as it should be, and says how it is: also of a line that has just been opened", async () => {
    const open = await openCarrierOn(asterisk, { sink });
    const found = await open.check();
    await open.stop();
    expect(found.map(({ name, ok }) => [name, ok])).toEqual(
      [
        "reachable",
        "credentials",
        "version",
        "clock",
        "context",
        "trunk",
        "media",
        "event_feed",
        "speech",
      ].map((name) => [name, true]),
    );
  });

  it("a wrong password", async () => {
    const { wrong, said, dialled } = await problems({ password: "wrong" });
    expect(wrong).toEqual(["credentials"]);
    expect(said).toEqual(["The user or the password of ari.conf is another one"]);
    const message = "Asterisk refuses the user or the password";
    expect(dialled).toMatchObject({ kind: "rejected", endReason: "not_placed", message });
  });

  it("nobody at its address", async () => {
    const { wrong, dialled } = await problems({ port: 1 });
    expect(wrong).toEqual(["reachable"]);
    expect(dialled).toMatchObject({ kind: "rejected", endReason: "not_placed", noAnswerAtAll: true });
  });

  it("a dialplan that is not included", async () => {
    expect((await problems({ context: "elsewhere" })).wrong).toEqual(["context"]);
  });

  it("a dialplan, or an endpoint, that calls whomever the far side names", async () => {
    const older = await problems({ context: "older" });
    expect(older.wrong).toEqual(["context"]);
    expect(older.said[0]).toContain("an older one, which calls whomever the far side names");
    const redirects = await problems({ context: "redirects" });
    expect(redirects.wrong).toEqual(["trunk"]);
    expect(redirects.said[0]).toContain("take redirect_method=uri_pjsip out of pjsip.conf");
  });

  it("a trunk that pjsip.conf does not have, and one that does not answer", async () => {
    const { wrong, said } = await problems({ context: "no-trunk" });
    expect(wrong).toEqual(["trunk"]);
    expect(said[0]).toContain("pjsip.conf has no endpoint nobody");
    const open = await opened({ context: "trunk-down" });
    await eventually("the trunk to be found out", async () =>
      (await open.check()).some(({ name, ok }) => name === "trunk" && !ok),
    );
    const call = dialOf(numberAnswering(200), { ringTimeoutSeconds: 1 });
    await open.carrier.placeCall(call, LATEST);
    expect(["carrier_error", "unreachable"]).toContain((await ended(call)).endReason);
    await open.stop();
  });

  it("clocks that are more than 2 s apart, and dials nobody then", async () => {
    const observed: number[] = [];
    const metrics: Metrics = { ...silentMetrics, observe: (_name, value) => void observed.push(value) };
    const { wrong, said, refused, dialled } = await problems({ clock: clockAheadBy(-3_000), metrics });
    expect(wrong).toEqual(["clock", "event_feed"]);
    expect(said[0]).toMatch(/^Asterisk's clock is [23]\.\d s ahead of ours, and at most 2 s are allowed/);
    expect(dialled).toMatchObject({ kind: "rejected", endReason: "not_placed", message: said[1] });
    expect(refused).toMatch(/^Asterisk's clock is [23]\.\d s ahead of ours/);
    expect(Math.round(observed[0] ?? 0)).toBe(3);
  });

  it("an Asterisk that is too old, and says which one is needed", async () => {
    const proxy = await startReplyProxy(asterisk.httpPort);
    proxy.replaceInReplies('"version":"22.10', '"version":"22.07');
    const { wrong, said, dialled } = await problems({ port: proxy.port });
    expect(wrong).toEqual(["version", "event_feed"]);
    expect(said[0]).toMatch(/^Asterisk 22\.07\S* is too old: it must be 22\.8, 20\.18 or 23\.2 at least$/);
    expect(dialled).toMatchObject({ kind: "rejected", endReason: "not_placed", message: said[1] });
    await proxy.close();
  });

  it("nothing of a trunk's password; the call says permission_denied", async () => {
    const open = await opened({ context: "wrong-password" });
    const call = dialOf(numberAnswering(401));
    await open.carrier.placeCall(call, LATEST);
    expect(await ended(call)).toMatchObject({ endReason: "permission_denied" });
    await open.stop();
  });
});
