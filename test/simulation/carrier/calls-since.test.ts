import { afterEach, describe, expect, it } from "vitest";
import { instantFromMillis } from "../../../domain/shared/instant.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { createHttpTelephony } from "../../../simulation/http/http-telephony.ts";
import {
  type CarrierHarness,
  carrierProgram,
  dialRequest,
  inProcessCarrier,
  LATEST,
} from "./carrier-harness.ts";

const SPEED = 2_000;
const LONG_AGO = instantFromMillis(0);

describe("the calls of this installation since then", () => {
  let carrier: CarrierHarness;
  afterEach(() => carrier.stop());

  const place = async (to: `+${string}`) => {
    const call = dialRequest(to);
    await carrier.telephony.placeCall(call, LATEST);
    return call;
  };
  const callsSince = async (since = LONG_AGO) => {
    const answer = await carrier.telephony.callsSince(since);
    return answer.kind === "calls" ? answer.calls : answer;
  };

  it("are what the carrier program took, each once, with from, to and its time, also after its restart", async () => {
    carrier = await carrierProgram(SPEED);
    const [first, second] = [await place("+15005550006"), await place("+15005550002")];
    await carrier.telephony.placeCall(first, LATEST);
    const [firstDial, secondDial] = (await carrier.journal()).map(({ at }) => at);
    const calls = [
      { callId: first.callId, from: first.from, to: first.to, at: firstDial },
      { callId: second.callId, from: second.from, to: second.to, at: secondDial },
    ];
    expect(await callsSince()).toEqual(calls);
    carrier = await carrier.restart();
    expect(await callsSince()).toEqual(calls);
  });

  it("are not what it refused, and not what came before", async () => {
    carrier = await carrierProgram(SPEED);
    await place("+15005550001");
    await place("+15005550006");
    const since = systemClock.now();
    const later = await place("+15005550002");
    const calls = (await carrier.journal()).filter(
      ({ callId, at }) => callId === later.callId && at >= since,
    );
    expect(calls).toHaveLength(1);
    expect(await callsSince(since)).toMatchObject([{ callId: later.callId }]);
  });

  it("are not those of another installation at the same carrier", async () => {
    carrier = await carrierProgram(SPEED);
    const ours = await place("+15005550006");
    carrier = await carrier.restart("elsewhere");
    const theirs = await place("+15005550002");
    expect(await callsSince()).toMatchObject([{ callId: theirs.callId }]);
    carrier = await carrier.restart("here");
    expect(await callsSince()).toMatchObject([{ callId: ours.callId }]);
  });

  it("are unknown when the carrier does not answer", async () => {
    carrier = await inProcessCarrier(SPEED);
    const away = createHttpTelephony({
      url: "http://127.0.0.1:9",
      clock: systemClock,
      installation: "here",
      token: null,
    });
    expect(await away.callsSince(LONG_AGO)).toEqual({ kind: "unavailable", cause: "ECONNREFUSED" });
    await away.close();
  });

  it("have no witness inside the process: its journal goes back with DATA_DIR", async () => {
    carrier = await inProcessCarrier(SPEED);
    await place("+15005550006");
    expect(await callsSince()).toEqual({ kind: "no_witness" });
  });
});
