import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PreparedData, prepareData } from "../../simulation/drills/prepared-data.ts";
import { LEAST_RINGS, runTwilioDrill, type TwilioDrill } from "../../simulation/drills/run-twilio-drill.ts";

/** More of them: `TWILIO_DRILL_SEEDS=3,4,5 npx vitest run test/drills/twilio-drills.test.ts`. */
const SEEDS = (process.env["TWILIO_DRILL_SEEDS"] ?? "1,2").split(",").map(Number);
const LONG = 240_000;

describe("campaigns through a Twilio that fails in every way, over two deaths of the service each", () => {
  let prepared: PreparedData | null = null;
  let drills: readonly Promise<TwilioDrill>[] = [];
  beforeAll(async () => {
    const data = await prepareData();
    prepared = data;
    drills = SEEDS.map((seed) => runTwilioDrill(seed, data));
  }, LONG);
  afterAll(async () => {
    await Promise.allSettled(drills);
    await prepared?.remove();
  }, LONG);

  it.for(SEEDS.map((seed, index) => [seed, index] as const))(
    "seed %i: nobody is rung twice for a call",
    { timeout: LONG },
    async ([, index]) => {
      const drill = await drills[index];
      if (process.env["TWILIO_DRILL_SEEDS"] !== undefined) process.stdout.write(`${JSON.stringify(drill)}\n`);
      expect(drill?.problems, JSON.stringify(drill)).toEqual([]);
      expect(drill?.rings).toBeGreaterThanOrEqual(LEAST_RINGS);
      expect(drill?.deaths).toBeGreaterThan(0);
    },
  );
});
