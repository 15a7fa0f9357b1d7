import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type {
  Analyses,
  AnalysisSettings,
  DueAnalysis,
  StoredAnalysisSettings,
} from "../../../application/ports/analyses.ts";
import type { OwnerId } from "../../../domain/shared/ids.ts";
import { type Instant, plusMillis } from "../../../domain/shared/instant.ts";
import { systemIds } from "../../../infrastructure/ids.ts";

export type AnalysesWorld = {
  readonly analyses: Analyses;
  /** Of another process. */
  readonly again: Analyses;
  readonly settings: StoredAnalysisSettings;
  readonly settingsAgain: StoredAnalysisSettings;
  readonly end: () => Promise<void>;
};

const START: Instant = "2026-11-27T10:00:00.000Z";
const at = (seconds: number) => plusMillis(START, seconds * 1_000);
const MODEL = { name: "gpt", inputTokens: 1_200, outputTokens: null };

export function analysesContract(name: string, makeWorld: () => Promise<AnalysesWorld>): void {
  describe(name, () => {
    let world: AnalysesWorld;
    let known: string[] = [];
    beforeAll(async () => {
      world = await makeWorld();
    });
    beforeEach(async () => {
      for (const id of known) await world.analyses.done(id);
      known = [];
    });
    afterAll(() => world.end());

    const analysis = (owner: OwnerId = systemIds.next("usr")) => {
      const made = { analysisId: systemIds.uuid(), callId: systemIds.next("call"), owner, tries: 0 };
      known.push(made.analysisId);
      return made;
    };
    const claim = (
      now: Instant,
      more: { limit?: number; underWay?: ReadonlyMap<OwnerId, number>; except?: ReadonlySet<OwnerId> } = {},
      analyses = world.analyses,
    ) =>
      analyses.claim({
        ...{ limit: 100, now, until: plusMillis(now, 60_000), underWay: new Map(), except: new Set() },
        ...more,
      });
    const idsOf = (rows: readonly DueAnalysis[]) => rows.map(({ analysisId }) => analysisId);

    it("gives a wish when it is due, once", async () => {
      const wish = analysis();
      await world.analyses.wished(wish, at(10));
      expect(await claim(at(9))).toEqual([]);
      expect(await claim(at(10))).toEqual([{ ...wish, wished: true, tries: 0, used: null }]);
      expect(await claim(at(10), {}, world.again)).toEqual([]);
    });

    it("gives it again when whoever had it did not come back, and counts that as a try", async () => {
      const wish = analysis();
      await world.analyses.wished(wish, at(0));
      await claim(at(0));
      expect(await claim(at(59.9), {}, world.again)).toEqual([]);
      expect(await claim(at(60), {}, world.again)).toMatchObject([{ ...wish, tries: 1 }]);
    });

    it("gives each to one of two processes that ask at the same moment", async () => {
      const owner = systemIds.next("usr");
      const wishes = Array.from({ length: 20 }, () => analysis(owner));
      for (const wish of wishes) await world.analyses.wished(wish, at(0));
      const both = await Promise.all([claim(at(1)), claim(at(1), {}, world.again)]);
      const given = both.flatMap(idsOf);
      expect(new Set(given).size).toBe(given.length);
      const left = idsOf(await claim(at(1)));
      expect(new Set([...given, ...left])).toEqual(new Set(wishes.map(({ analysisId }) => analysisId)));
    });

    it("knows the tries and tokens of a wish that failed", async () => {
      const wish = analysis();
      await world.analyses.wished(wish, at(0));
      const [first] = await claim(at(0));
      await world.analyses.failed(wish.analysisId, MODEL, at(10));
      expect([first?.tries, await claim(at(9))]).toEqual([0, []]);
      expect(await claim(at(10))).toMatchObject([{ tries: 1, used: MODEL }]);
    });

    it("counts no try that was given back", async () => {
      const wish = analysis();
      await world.analyses.wished(wish, at(0));
      const [first] = await claim(at(0));
      if (first === undefined) throw new Error("not claimed");
      await world.analyses.giveBack(first, at(1));
      expect(await claim(at(1))).toMatchObject([{ ...wish, tries: 0, used: null }]);
    });

    it("forgets what is done", async () => {
      const wish = analysis();
      await world.analyses.wished(wish, at(0));
      await world.analyses.done(wish.analysisId);
      await world.analyses.done(wish.analysisId);
      await world.analyses.failed(wish.analysisId, MODEL, at(1));
      expect(await claim(at(100))).toEqual([]);
    });

    describe("what is expected", () => {
      it("is due at the earliest moment that was told", async () => {
        const one = analysis();
        await world.analyses.expect(one, at(5));
        await world.analyses.expect(one, at(2));
        await world.analyses.expect(one, at(9));
        expect(await claim(at(1))).toEqual([]);
        expect(await claim(at(2))).toEqual([{ ...one, wished: false, tries: 0, used: null }]);
      });

      it("becomes a wish with the tries that were begun, and stays one", async () => {
        const one = analysis();
        await world.analyses.expect(one, at(0));
        await claim(at(0));
        await world.analyses.wished({ ...one, tries: 1 }, at(3));
        await world.analyses.wished(one, at(0));
        await world.analyses.expect(one, at(0));
        expect(await claim(at(2))).toEqual([]);
        expect(await claim(at(3))).toMatchObject([{ ...one, wished: true, tries: 1 }]);
      });
    });

    describe("several owners", () => {
      it("are served by turns, those that wait longest first", async () => {
        const [many, few] = [systemIds.next("usr"), systemIds.next("usr")];
        const first = [analysis(many), analysis(many), analysis(many)];
        const second = analysis(few);
        for (const [index, wish] of first.entries()) await world.analyses.wished(wish, at(index));
        await world.analyses.wished(second, at(10));
        const given = await claim(at(20), { limit: 3 });
        const ids = [first[0], second, first[1]].map((wish) => wish?.analysisId);
        expect(idsOf(given)).toEqual(ids);
      });

      it("are served by what they have under way already", async () => {
        const [busy, idle] = [systemIds.next("usr"), systemIds.next("usr")];
        const [early, late] = [analysis(busy), analysis(idle)];
        await world.analyses.wished(early, at(0));
        await world.analyses.wished(late, at(5));
        const given = await claim(at(9), { limit: 1, underWay: new Map([[busy, 1]]) });
        expect(idsOf(given)).toEqual([late.analysisId]);
      });

      it("are left out when they may not ask: their wishes wait, what is expected does not", async () => {
        const [poor, other] = [systemIds.next("usr"), systemIds.next("usr")];
        const [wish, expected, ofOther] = [analysis(poor), analysis(poor), analysis(other)];
        await world.analyses.wished(wish, at(0));
        await world.analyses.expect(expected, at(1));
        await world.analyses.wished(ofOther, at(2));
        const except = new Set([poor]);
        expect(await world.analyses.nextDue(new Set())).toBe(at(0));
        expect(await world.analyses.nextDue(except)).toBe(at(1));
        const given = await claim(at(9), { except });
        expect(new Set(idsOf(given))).toEqual(new Set([expected.analysisId, ofOther.analysisId]));
        expect(idsOf(await claim(at(9)))).toEqual([wish.analysisId]);
      });
    });

    it("tells when the next one is due", async () => {
      expect(await world.analyses.nextDue(new Set())).toBeNull();
      await world.analyses.wished(analysis(), at(30));
      await world.analyses.expect(analysis(), at(20));
      expect(await world.analyses.nextDue(new Set())).toBe(at(20));
      await claim(at(20));
      expect(await world.analyses.nextDue(new Set())).toBe(at(30));
    });

    describe("what is asked", () => {
      const settings: AnalysisSettings = {
        version: 1,
        outcome: {
          summary: true,
          fields: [{ name: "kept", type: "boolean", description: "Whether it is kept — güzel" }],
          success: { field: "kept", in: [true] },
        },
        model: "gpt",
        modelConnectionId: null,
        language: "tr-TR",
      };

      it("is stored once, whatever the order of its fields, and read by every process", async () => {
        const { version, ...others } = settings;
        const [one, two] = await Promise.all([
          world.settings.store(settings),
          world.settingsAgain.store({ ...others, version }),
        ]);
        expect(one).toMatch(/^[0-9a-f]{64}$/);
        expect(two).toBe(one);
        expect(await world.settings.read(one)).toEqual(settings);
        expect(await world.settingsAgain.read(one)).toEqual(settings);
      });

      it("is unknown under another hash, and another hash when it differs", async () => {
        const other = await world.settings.store({ ...settings, language: null });
        expect(other).not.toBe(await world.settings.store(settings));
        expect(await world.settings.read("0".repeat(64))).toBeNull();
      });
    });
  });
}
