import { describe, expect, it } from "vitest";
import type { VoiceSession } from "../../../application/ports/voice-session.ts";
import type { CalleeBehaviour, Reaction } from "../../../application/voice/callee/behaviour.ts";
import { inTurns } from "../../../simulation/campaigns/in-turns.ts";
import { seededRandom } from "../../../simulation/campaigns/seeded-random.ts";
import { createVirtualClock, type VirtualClock } from "../../../simulation/campaigns/virtual-clock.ts";

/** One live line with somebody at its end, in virtual time. */
export type VoiceLine = {
  readonly session: VoiceSession;
  /** What the listener was told, as test/support/voice/recording-listener.ts writes it. */
  readonly told: string[];
  /** The call is over, from the carrier's side. */
  readonly end: (cause: "hung_up" | "line_lost" | "session_lost") => void;
};

export type OpenVoiceLine = (options: {
  readonly clock: VirtualClock;
  readonly speed: number;
  readonly behaviour: CalleeBehaviour;
}) => Promise<VoiceLine>;

const PLAIN = { interruptible: true, voice: null, language: null };
const FIRM = { interruptible: false, voice: null, language: null };
/** 45 characters: three seconds of speech. */
const THREE_SECONDS = "I am calling about the invoice of last month.";
/** 15 characters: one second. */
const ONE_SECOND = "Yes, I do know.";

const silent: CalleeBehaviour = {
  opens: () => null,
  reacts: () => ({ kind: "listen" }),
  interruptsAfter: () => null,
  patienceMillis: null,
};

function answers(reaction: Reaction, changes: Partial<CalleeBehaviour> = {}): CalleeBehaviour {
  return { ...silent, reacts: (said) => (said === 0 ? reaction : { kind: "listen" }), ...changes };
}

const saysYes: Reaction = { kind: "say", text: ONE_SECOND, pauseMillis: 1_000, hangUpMillis: null };

/** Where forms may differ. */
export type VoiceTraits = {
  /**
   * exact: the carrier names the words that were heard. estimated: the session reckons them from
   * how much was played.
   */
  readonly heard: "exact" | "estimated";
  /** Real lines run at the pace of everybody's time. */
  readonly runsFaster: boolean;
  readonly transfers: boolean;
  /** How it may end from the carrier's side. */
  readonly ends: readonly ("hung_up" | "line_lost" | "session_lost")[];
};

const USUAL: VoiceTraits = {
  heard: "exact",
  runsFaster: true,
  transfers: true,
  ends: ["hung_up", "line_lost", "session_lost"],
};

/** What every VoiceSession does, whoever carries its words. */
export function describeVoiceSession(form: string, open: OpenVoiceLine, traits: VoiceTraits = USUAL): void {
  describe(`a voice session ${form}`, () => {
    const lineWith = async (behaviour: CalleeBehaviour, speed = 1) => {
      const clock = createVirtualClock(Date.parse("2026-09-01T10:00:00.000Z"), seededRandom(1));
      const line = await open({ clock, speed, behaviour });
      const pass = async (millis: number) => {
        const until = clock.elapsed() + millis;
        let there = false;
        clock.after(millis, () => {
          there = true;
        });
        await inTurns(() => (there || !clock.advance() ? true : undefined));
        expect(clock.elapsed()).toBe(until);
      };
      return { ...line, pass };
    };

    it("is heard whole when the words have taken their time, and not before", async () => {
      const { session, told, pass } = await lineWith(silent);
      session.say(1, "I am calling about ", false, PLAIN);
      session.say(1, "the invoice of last month.", true, PLAIN);
      await pass(2_900);
      expect(told).toEqual([]);
      await pass(200);
      expect(told).toEqual(["heard 1"]);
    });

    it("says one utterance after the other", async () => {
      const { session, told, pass } = await lineWith(silent);
      session.say(1, THREE_SECONDS, true, PLAIN);
      session.say(2, ONE_SECOND, true, PLAIN);
      await pass(3_900);
      expect(told).toEqual(["heard 1"]);
      await pass(200);
      expect(told).toEqual(["heard 1", "heard 2"]);
    });

    if (traits.runsFaster)
      it("runs its line time faster where the callee is simulated", async () => {
        const { session, told, pass } = await lineWith(silent, 10);
        expect(session.speed).toBe(10);
        session.say(1, THREE_SECONDS, true, PLAIN);
        await pass(310);
        expect(told).toEqual(["heard 1"]);
      });
    else
      it("runs at the pace of everybody's time", async () => {
        const { session } = await lineWith(silent);
        expect(session.speed).toBe(1);
      });

    it("tells of speech before the words of the customer", async () => {
      const { session, told, pass } = await lineWith(answers(saysYes));
      session.say(1, THREE_SECONDS, true, PLAIN);
      await pass(4_500);
      expect(told).toEqual(["heard 1", "speech"]);
      await pass(1_000);
      expect(told).toEqual(["heard 1", "speech", `said ${ONE_SECOND}`]);
    });

    it("cuts what the customer speaks into, with what was heard of it, and drops what waited behind it", async () => {
      const behaviour = answers(saysYes, { interruptsAfter: () => "I am calling".length });
      const { session, told, pass } = await lineWith(behaviour);
      session.say(1, THREE_SECONDS, true, PLAIN);
      session.say(2, ONE_SECOND, true, PLAIN);
      await pass(3_000);
      const cut = /^cut 1 "I am calling" (\d+) (exact|estimated)$/.exec(told[0] ?? "");
      expect(cut?.[2]).toBe(traits.heard);
      // Whoever reckons by sound needs a moment to know that it is speech.
      expect(Number(cut?.[1])).toBeGreaterThanOrEqual(800);
      expect(Number(cut?.[1])).toBeLessThanOrEqual(traits.heard === "exact" ? 800 : 1_040);
      expect(told.slice(1)).toEqual(['cut 2 "" 0 exact', "speech", `said ${ONE_SECOND}`]);
    });

    it("is not cut where it must not be", async () => {
      const behaviour = answers(saysYes, { interruptsAfter: () => "I am calling".length });
      const { session, told, pass } = await lineWith(behaviour);
      session.say(1, THREE_SECONDS, true, FIRM);
      await pass(6_000);
      expect(told).toEqual(["heard 1", "speech", `said ${ONE_SECOND}`]);
    });

    it("tells keys", async () => {
      const { session, told, pass } = await lineWith(
        answers({ kind: "press", digits: "12#", pauseMillis: 500 }),
      );
      session.say(1, ONE_SECOND, true, PLAIN);
      await pass(2_000);
      expect(told).toEqual(["heard 1", "digit 1", "digit 2", "digit #"]);
    });

    it("tells that a machine's greeting is over", async () => {
      const greeting = { kind: "say", text: ONE_SECOND, pauseMillis: 500, hangUpMillis: null } as const;
      const { told, pass } = await lineWith({ ...silent, opens: () => greeting });
      await pass(2_000);
      expect(told).toEqual(["speech", `said ${ONE_SECOND}`, "machine ended"]);
    });

    it.each(traits.ends)("has %s as its last word", async (cause) => {
      const { session, told, end, pass } = await lineWith(answers(saysYes));
      session.say(1, THREE_SECONDS, true, PLAIN);
      await pass(1_000);
      end(cause);
      await pass(10_000);
      session.say(2, ONE_SECOND, true, PLAIN);
      session.finish(0);
      await pass(10_000);
      expect(told).toEqual([`closed ${cause}`]);
    });

    it("closes when the callee hangs up", async () => {
      const { session, told, pass } = await lineWith(answers({ kind: "hang_up", pauseMillis: 500 }));
      session.say(1, ONE_SECOND, true, PLAIN);
      await pass(2_000);
      expect(told).toEqual(["heard 1", "closed hung_up"]);
    });

    it("finishes at once without a drain", async () => {
      const { session, told, pass } = await lineWith(silent);
      session.say(1, THREE_SECONDS, true, PLAIN);
      await pass(1_000);
      session.finish(0);
      await pass(10_000);
      expect(told).toEqual(["closed finished"]);
    });

    it("finishes when everything was heard, at the latest after the drain", async () => {
      const patient = await lineWith(silent);
      patient.session.say(1, ONE_SECOND, true, PLAIN);
      patient.session.finish(10_000);
      await patient.pass(1_100);
      expect(patient.told).toEqual(["heard 1", "closed finished"]);
      const hasty = await lineWith(silent);
      hasty.session.say(1, THREE_SECONDS, true, PLAIN);
      hasty.session.finish(500);
      await hasty.pass(600);
      expect(hasty.told).toEqual(["closed finished"]);
    });

    it("tells once what was heard of an utterance that is taken back, and never that it was heard whole", async () => {
      const { session, told, pass } = await lineWith(silent);
      session.say(1, THREE_SECONDS, false, PLAIN);
      session.clear(1);
      session.say(1, "more of it", true, PLAIN);
      await pass(10_000);
      session.clear(1);
      expect(told.filter((each) => each.startsWith("cut 1"))).toHaveLength(1);
      expect(told).toHaveLength(1);
    });

    if (traits.transfers)
      it("closes as finished when the line goes to another number, after saying that it begins", async () => {
        const { session, told, pass } = await lineWith(silent);
        expect(session.transfer("+15005550006")).toBe("begun");
        expect(told).toEqual([]);
        await pass(1_000);
        expect(told).toEqual(["closed finished"]);
      });
    else
      it("says that it cannot transfer, and goes on", async () => {
        const { session, told, pass } = await lineWith(silent);
        expect(session.transfer("+15005550006")).toBe("unsupported");
        session.say(1, ONE_SECOND, true, PLAIN);
        await pass(1_100);
        expect(told).toEqual(["heard 1"]);
      });
  });
}
