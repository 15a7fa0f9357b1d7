import { describe, expect, it } from "vitest";
import type { SocketEntrance } from "../../../application/ports/entrances.ts";
import type { VoiceSession } from "../../../application/ports/voice-session.ts";
import { createRelayEntrance } from "../../../infrastructure/voice/relay/relay-entrance.ts";
import { inTurns } from "../../../simulation/campaigns/in-turns.ts";
import { seededRandom } from "../../../simulation/campaigns/seeded-random.ts";
import { createVirtualClock } from "../../../simulation/campaigns/virtual-clock.ts";
import { silentLogger, silentMetrics } from "../../../simulation/memory/silent.ts";
import { recordingListener } from "../../support/voice/recording-listener.ts";
import { socketPair } from "../../support/voice/socket-pair.ts";

const PLAIN = { interruptible: true, voice: null, language: null };
/** 45 characters: three seconds of speech. */
const THREE_SECONDS = "I am calling about the invoice of last month.";
/** 15 characters: one second. */
const ONE_SECOND = "Yes, I do know.";

const requestOf = (callId: string) => ({ url: "/", headers: {}, params: { callId }, query: {} });

type Options = {
  /** Bytes that the other side has not read. */
  readonly waiting?: () => number;
  /** The conversation is opened once this is settled. */
  readonly opening?: Promise<void>;
};

/** A relay's socket on a virtual clock; the test is the carrier and the conversation. */
function relayLine({ waiting = () => 0, opening = Promise.resolve() }: Options = {}) {
  const clock = createVirtualClock(Date.parse("2026-09-01T10:00:00.000Z"), seededRandom(1));
  const told: string[] = [];
  const sent: unknown[] = [];
  const speech: number[] = [];
  const sessions: VoiceSession[] = [];
  const entrance: SocketEntrance = createRelayEntrance({
    path: "/",
    clock,
    logger: silentLogger,
    metrics: silentMetrics,
    isFromCarrier: () => true,
    livenessOf: async () => "live",
    speedOf: () => 1,
    conversations: {
      arrive: async ({ session }) => {
        sessions.push(session);
        await opening;
        const listener = recordingListener(told);
        return {
          ...listener,
          speechStarted: () => {
            speech.push(clock.elapsed());
            listener.speechStarted();
          },
        };
      },
    },
  });
  const { near, far } = socketPair();
  far.onText((text) => sent.push(JSON.parse(text)));
  entrance.open(requestOf("call_1"), { ...near, waiting });
  const pass = (millis: number) => {
    let there = false;
    clock.after(millis, () => {
      there = true;
    });
    return inTurns(() => (there || !clock.advance() ? true : undefined));
  };
  const send = async (...frames: readonly Readonly<Record<string, unknown>>[]) => {
    for (const frame of frames) far.send(JSON.stringify(frame));
    await pass(1);
  };
  return { entrance, far, told, sent, speech, sessions, pass, send };
}

const SETUP = { type: "setup", callSid: "sim_1" };
const KEY = { type: "dtmf", digit: "1" };
const keys = (count: number) => Array.from({ length: count }, () => KEY);

/** 1 ms of it has passed. */
async function relayCall(options: Options = {}) {
  const line = relayLine(options);
  await line.send(SETUP);
  const [session] = line.sessions;
  if (session === undefined) throw new Error("no session arrived");
  return { ...line, session, say: (id: number, text: string) => session.say(id, text, true, PLAIN) };
}

describe("what a relay has said of several utterances", () => {
  it("is known by the words of the interruption: those before were heard, those behind were not", async () => {
    const { say, send, pass, told } = await relayCall();
    say(1, THREE_SECONDS);
    say(2, "Please, pay 1,200 by Friday.");
    say(3, "Goodbye.");
    await pass(1_000);
    await send({
      type: "interrupt",
      utteranceUntilInterrupt: "please pay 1200",
      durationUntilInterruptMs: 900,
    });
    expect(told).toEqual(["heard 1", 'cut 2 "please pay 1200" 900 exact', 'cut 3 "" 0 exact', "speech"]);
    await pass(10_000);
    expect(told).toHaveLength(4);
  });

  it("is estimated by the time where the interruption names no words", async () => {
    const { session, say, send, pass, told } = await relayCall();
    session.say(1, ONE_SECOND, false, PLAIN);
    say(2, THREE_SECONDS);
    await pass(2_000);
    await send({ type: "interrupt" });
    expect(told).toEqual(["heard 1", 'cut 2 "I am calling" 1000 estimated', "speech"]);
  });

  it("has the time since its beginning where the interruption names words alone", async () => {
    const { say, send, pass, told } = await relayCall();
    say(1, THREE_SECONDS);
    await pass(1_000);
    await send({ type: "interrupt", utteranceUntilInterrupt: "I am calling" });
    expect(told).toEqual(['cut 1 "I am calling" 1000 exact', "speech"]);
  });

  it("loses only the one that is taken back from between two others", async () => {
    const { session, say, pass, told } = await relayCall();
    say(1, THREE_SECONDS);
    say(2, ONE_SECOND);
    say(3, ONE_SECOND);
    session.clear(2);
    expect(told).toEqual([`cut 2 "${ONE_SECOND}" 1000 estimated`]);
    await pass(3_100);
    expect(told.slice(1)).toEqual(["heard 1"]);
    await pass(1_000);
    expect(told.slice(1)).toEqual(["heard 1", "heard 3"]);
  });

  it("comes no earlier because the one before it was taken back, for that one is spoken", async () => {
    const { session, say, pass, told } = await relayCall();
    say(1, THREE_SECONDS);
    say(2, ONE_SECOND);
    session.clear(1);
    await pass(3_900);
    expect(told).toHaveLength(1);
    await pass(200);
    expect(told.slice(1)).toEqual(["heard 2"]);
  });

  it("was heard, once, when the customer answers without an interruption", async () => {
    const { session, say, send, pass, told } = await relayCall();
    say(1, THREE_SECONDS);
    session.say(2, "Yes, I do", false, PLAIN);
    await pass(1_000);
    await send({ type: "prompt", voicePrompt: "Hello?", last: true });
    await pass(4_000);
    expect(told).toEqual(["heard 1", "speech", "said Hello?"]);
    session.say(2, " know.", true, PLAIN);
    await pass(1_000);
    expect(told.slice(3)).toEqual(["heard 2"]);
  });
});

describe("a relay's session", () => {
  it("tells of each part of speech that goes on, and of each turn once when it is over", async () => {
    const { send, speech, told } = await relayCall();
    const part = { type: "prompt", voicePrompt: "I", last: false };
    const turn = { type: "prompt", voicePrompt: "I know", last: true };
    await send(part, part);
    expect(speech).toHaveLength(2);
    await send(turn);
    expect(speech).toHaveLength(2);
    await send(turn);
    expect(speech).toHaveLength(3);
    expect(told).toEqual(["speech", "said I know", "speech", "said I know"]);
  });

  it("ends the relay with a frame that says so", async () => {
    const { session, say, sent, pass, far } = await relayCall();
    say(1, ONE_SECOND);
    session.finish(5_000);
    await pass(1_100);
    expect(sent.at(-1)).toEqual({ type: "end" });
    expect(far.closedWith()).toBe(1_000);
  });

  it("is lost when the carrier does not take a line that is handed on", async () => {
    const { session, sent, pass, told } = await relayCall();
    expect(session.transfer("+15005550006")).toBe("begun");
    await pass(9_900);
    expect(sent).toEqual([{ type: "end", handoffData: '{"transfer":"+15005550006"}' }]);
    expect(told).toEqual([]);
    await pass(200);
    expect(told).toEqual(["closed session_lost"]);
  });

  it("is lost when the other side reads nothing of it, after a mebibyte", async () => {
    let waiting = 1_024 * 1_024;
    const { say, pass, told, far } = await relayCall({ waiting: () => waiting });
    say(1, ONE_SECOND);
    await pass(1);
    expect(told).toEqual([]);
    waiting += 1;
    say(2, ONE_SECOND);
    await pass(1);
    expect(told).toEqual(["closed session_lost"]);
    expect(far.closedWith()).toBe(1_008);
  });
});

describe("the socket of a relay", () => {
  it("may bring a hundred frames at once, and fifty more each second", async () => {
    const { send, pass, told, far } = await relayCall();
    await send(...keys(99));
    await pass(2_000);
    await send(...keys(100));
    await pass(1_000);
    await send(...keys(50));
    expect(told).toHaveLength(249);
    expect(far.closedWith()).toBeNull();
    await send(KEY);
    expect(told.at(-1)).toBe("closed refused");
    expect(far.closedWith()).toBe(1_008);
  });

  it("may bring a hundred frames while the conversation is being opened, and no more", async () => {
    const opening = Promise.withResolvers<void>();
    const patient = await relayCall({ opening: opening.promise });
    const hasty = await relayCall({ opening: opening.promise });
    for (const { send, pass } of [patient, hasty]) {
      await send(...keys(60));
      await pass(2_000);
      await send(...keys(40));
    }
    await hasty.send(KEY);
    expect(patient.told).toEqual([]);
    expect(hasty.far.closedWith()).toBe(1_008);
    opening.resolve();
    await patient.pass(1);
    expect(patient.told).toEqual(keys(100).map(() => "digit 1"));
  });

  it("may bring frames of a later release before its setup, but nothing else", async () => {
    const known = relayLine();
    await known.send({ type: "of a later release" }, SETUP);
    expect(known.sessions).toHaveLength(1);
    const early = relayLine();
    await early.send(KEY, SETUP);
    expect(early.sessions).toHaveLength(0);
    expect(early.far.closedWith()).toBe(1_008);
  });

  it("is closed after ten seconds without a setup", async () => {
    const { pass, far } = relayLine();
    await pass(9_900);
    expect(far.closedWith()).toBeNull();
    await pass(200);
    expect(far.closedWith()).toBe(1_002);
  });

  it("is refused where the path names no call, but something that begins like one", async () => {
    const { entrance } = relayLine();
    expect(await entrance.refuses(requestOf("call_1"))).toBeNull();
    for (const name of ["call_1!", "call_1/other", `call_${"x".repeat(65)}`, "a call_1"])
      expect(await entrance.refuses(requestOf(name))).toMatchObject({ status: 403 });
  });
});
