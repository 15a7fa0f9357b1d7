import { afterEach, describe, expect, it } from "vitest";
import type { AudioLeg } from "../../../../application/voice/audio/audio-leg.ts";
import { openMediaLeg } from "../../../../infrastructure/carriers/asterisk/media/media-leg.ts";
import { systemClock } from "../../../../infrastructure/clock.ts";
import { addressPolicy } from "../../../../infrastructure/http/address-guard.ts";
import { eventually } from "../../../../simulation/drills/eventually.ts";
import { silentLogger } from "../../../../simulation/memory/silent.ts";
import {
  type FakeMediaServer,
  fakeMediaServer,
  type MediaCall,
} from "../../../support/speech/fake-media-server.ts";
import { likeness, soundOf } from "../../../support/speech/scripted-voice.ts";
import { silence } from "../../../support/speech/sounds.ts";

const servers: FakeMediaServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

type Line = {
  readonly leg: AudioLeg;
  readonly call: MediaCall;
  readonly told: string[];
  readonly heard: Uint8Array[];
};

const GUARD = { policy: addressPolicy(["127.0.0.0/8"]), resolve: async () => [], ca: undefined };

async function line(options: Parameters<typeof fakeMediaServer>[0] = {}): Promise<Line> {
  const server = await fakeMediaServer(options);
  servers.push(server);
  const told: string[] = [];
  const heard: Uint8Array[] = [];
  const leg = await openMediaLeg({
    url: server.url,
    clock: systemClock,
    logger: silentLogger,
    guard: GUARD,
    hangUp: () => told.push("hang up"),
  });
  const [call] = server.calls;
  if (leg === null || call === undefined) throw new Error("the leg was not opened");
  leg.listen({
    audio: (audio) => heard.push(audio),
    played: (mark) => told.push(`played ${mark}`),
    digit: (digit) => told.push(`digit ${digit}`),
    closed: (cause) => told.push(`closed ${cause}`),
  });
  return { leg, call, told, heard };
}

const has = (told: readonly string[], what: string) => eventually(what, () => told.includes(what), 10_000);
const queued = ({ call }: Line, frames: number) =>
  eventually(`${frames} frames at the far side`, () => call.far.queued() >= frames, 10_000);

describe("the media socket of Asterisk", () => {
  it("carries sound both ways, byte by byte", async () => {
    const { leg, told, heard } = await line({ speed: 10, echoes: true });
    const sound = soundOf("What comes back is what was said.");
    for (let at = 0; at < sound.length; at += 777) leg.send(sound.subarray(at, at + 777));
    leg.mark("end");
    await has(told, "played end");
    await eventually("the echo", () => likeness("said.", Buffer.concat(heard)) > 0.95, 10_000);
    const line8k = Buffer.concat(heard);
    expect(line8k.indexOf(Buffer.from(sound.subarray(0, 4_000)))).toBeGreaterThanOrEqual(0);
  });

  it("tells each mark when everything before it was played, and not before", async () => {
    // Slow enough that a busy machine sees the first mark before half of the second part is played.
    const { leg, call, told } = await line({ speed: 2 });
    leg.send(silence(1_000));
    leg.mark("one");
    leg.send(silence(1_000));
    leg.mark("two");
    await has(told, "played one");
    expect(call.heard.length).toBeGreaterThanOrEqual(50);
    expect(call.far.queued()).toBeGreaterThan(25);
    await has(told, "played two");
    expect(told).toEqual(["played one", "played two"]);
  });

  it("keeps at most 10 s under way, and loses nothing of a minute", async () => {
    const one = await line({ speed: 60 });
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, one.call.far.queued());
    }, 1);
    one.leg.send(silence(60_000));
    one.leg.mark("end");
    await has(one.told, "played end");
    clearInterval(watch);
    expect(most).toBeGreaterThan(300);
    expect(most).toBeLessThanOrEqual(500);
    expect(one.call.far.dropped()).toBe(0);
    expect(one.call.heard.length).toBeGreaterThanOrEqual(3_000);
  });

  it("drops what is queued on a flush, tells how much was not heard, and never its marks", async () => {
    const one = await line();
    one.leg.send(silence(30_000));
    one.leg.mark("dropped");
    await queued(one, 400);
    await eventually("half a second", () => one.call.played() >= 25, 10_000);
    const unheard = await one.leg.flush();
    const asked = one.call.commands.find(({ command }) => command === "GET_STATUS");
    expect(asked?.played).toBeGreaterThanOrEqual(25);
    expect(unheard).toBe(30_000 - Number(asked?.played) * 20);
    expect(one.call.far.queued()).toBe(0);
    one.leg.send(silence(100));
    one.leg.mark("after");
    await has(one.told, "played after");
    expect(one.told).toEqual(["played after"]);
  });

  it("goes on with sound of any length after a flush", async () => {
    const one = await line({ speed: 10, echoes: true });
    one.leg.send(silence(5_000));
    await one.leg.flush();
    const sound = soundOf("Here I am again.");
    for (let at = 0; at < sound.length; at += 333) one.leg.send(sound.subarray(at, at + 333));
    one.leg.mark("end");
    await has(one.told, "played end");
    await eventually(
      "the echo",
      () => Buffer.concat(one.heard).includes(Buffer.from(sound.subarray(0, 8_000))),
      10_000,
    );
  });

  it("plays nothing while it is paused, and goes on where it was", async () => {
    const one = await line({ speed: 10 });
    one.leg.send(soundOf("not now"));
    one.leg.mark("end");
    one.leg.pause();
    await eventually(
      "the pause",
      () => one.call.commands.some(({ command }) => command === "PAUSE_MEDIA"),
      10_000,
    );
    const before = one.call.far.queued();
    await eventually("a second of silence", () => one.call.heard.length > 50, 10_000);
    expect(one.call.far.queued()).toBe(before);
    expect(one.told).toEqual([]);
    one.leg.resume();
    await has(one.told, "played end");
  });

  it("reckons by the clock where the far side does not say how much it had", async () => {
    const one = await line({ isMute: true });
    const begun = performance.now();
    one.leg.send(silence(8_000));
    await queued(one, 300);
    await eventually("half a second", () => one.call.played() >= 25, 10_000);
    const flushed = one.leg.flush();
    const longest = performance.now() - begun;
    const unheard = await flushed;
    expect(unheard).toBeGreaterThan(8_000 - longest - 100);
    expect(unheard).toBeLessThan(7_900);
  });

  it("stops giving when it is told to, and goes on when it may", async () => {
    const one = await line({ speed: 10 });
    one.call.tell({ event: "MEDIA_XOFF" });
    one.call.tell({ event: "DTMF_END", digit: "1" });
    await has(one.told, "digit 1");
    one.leg.send(silence(200));
    one.leg.mark("end");
    await eventually("20 frames", () => one.call.heard.length > 20, 10_000);
    expect(one.call.far.queued()).toBe(0);
    one.call.tell({ event: "MEDIA_XON" });
    await has(one.told, "played end");
  });

  it("may give again after a flush: what was too much is gone", async () => {
    const one = await line({ speed: 10 });
    one.call.tell({ event: "MEDIA_XOFF" });
    one.call.tell({ event: "DTMF_END", digit: "1" });
    await has(one.told, "digit 1");
    one.leg.send(silence(200));
    expect(await one.leg.flush()).toBeGreaterThanOrEqual(200);
    one.leg.send(silence(100));
    one.leg.mark("after");
    await has(one.told, "played after");
  });

  it("tells keys, and ignores what it does not know", async () => {
    const { call, told } = await line();
    call.tell({ event: "MEDIA_BUFFERING_COMPLETED" });
    call.tell({ event: "DTMF_END", digit: "7" });
    call.tell({ event: "DTMF_END", digit: "#" });
    await has(told, "digit #");
    expect(told).toEqual(["digit 7", "digit #"]);
  });

  it("closes as lost after 20 frames that are none, and not before", async () => {
    const { call, told } = await line();
    for (let count = 0; count < 20; count += 1)
      call.tell(count % 2 === 0 ? "garbage" : { event: "STATUS", queue_length: -1 });
    call.tell({ event: "DTMF_END", digit: "1" });
    await has(told, "digit 1");
    call.tell("{");
    await has(told, "closed session_lost");
  });

  it("drops sound that comes much faster than anybody speaks", async () => {
    const { call, told, heard } = await line();
    for (let count = 0; count < 300; count += 1) call.socket.send(silence(200));
    call.tell({ event: "DTMF_END", digit: "1" });
    await has(told, "digit 1");
    expect(heard.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(100_000);
  });

  it.each([
    [1_000, "closed hung_up"],
    [1_011, "closed session_lost"],
  ])("takes a close of %i for %s", async (code, told) => {
    const one = await line();
    one.call.socket.close(code);
    await has(one.told, told);
  });

  it("hangs up once, and hears nothing after it", async () => {
    const one = await line();
    one.leg.hangUp();
    one.leg.hangUp();
    await eventually("the close", () => one.call.socket.readyState === one.call.socket.CLOSED, 10_000);
    expect(one.call.commands.map(({ command }) => command)).toContain("HANGUP");
    expect(one.told).toEqual(["hang up"]);
  });

  it("does not open where nobody is, or where the sound is of another kind", async () => {
    const open = (url: string) =>
      openMediaLeg({ url, clock: systemClock, logger: silentLogger, guard: GUARD, hangUp: () => undefined });
    expect(await open("ws://127.0.0.1:1/media/x")).toBeNull();
    const server = await fakeMediaServer({ format: "slin16" });
    servers.push(server);
    expect(await open(server.url)).toBeNull();
  });
});
