import { type SeededRandom, seededRandom } from "../campaigns/seeded-random.ts";
import { type DrillPoint, type DrillScenario, pointName } from "./drill-points.ts";

export type DrillContact = {
  readonly phoneNumber: string;
  readonly name: string;
  readonly customData: Readonly<Record<string, string>>;
};

export type CampaignPlan = {
  readonly contacts: readonly DrillContact[];
  readonly maxConcurrentCalls: number;
};

/** Everything random in a drill, drawn from its seed. */
export type DrillPlan = CampaignPlan & {
  readonly point: DrillPoint;
  readonly seed: number;
  /** One per start of the service. */
  readonly crashAt: readonly string[];
};

/**
 * One who answers, a machine, one who is busy once, one who is always busy: every kind of event
 * occurs in every campaign.
 */
const ALWAYS = ["06", "05", "09", "02"];
/** They ask never to be called again: one says so, one presses 9. */
const OPT_OUT = ["13", "15"];
/** Asks to be called again in two minutes. */
const CALLBACK = ["14"];
const FIRST: Readonly<Partial<Record<DrillScenario, readonly string[]>>> = {
  "opt-out": OPT_OUT,
  callback: CALLBACK,
};
const SOMETIMES = ["01", "03", "04", "07", "08", "12"];
/** So large that 20 contacts are two chunks of an import. */
const LARGE_TEXT = "x".repeat(15_000);

export function planDrill(point: DrillPoint, seed: number): DrillPlan {
  const random = seededRandom(seed, pointName(point));
  const [first, ...later] = point.crashAt;
  const large = point.scenario === "import";
  const firstCrash = `${first}:${random.between(1, point.reached)}`;
  const usual = large || point.scenario === "conversation" ? 20 : random.between(5, 10);
  return {
    point,
    seed,
    crashAt: [firstCrash, ...later],
    contacts: contactsOf(random, {
      count: point.contacts ?? usual,
      large,
      first: FIRST[point.scenario] ?? [],
    }),
    maxConcurrentCalls: random.between(2, 6),
  };
}

/** A campaign that lasts long enough to be disturbed. */
export function planLongCampaign(seed: number): CampaignPlan {
  const contacts = contactsOf(seededRandom(seed, "long campaign"), { count: 30, large: false, first: [] });
  return { contacts, maxConcurrentCalls: 6 };
}

function contactsOf(
  random: SeededRandom,
  {
    count,
    large,
    first,
  }: { readonly count: number; readonly large: boolean; readonly first: readonly string[] },
): readonly DrillContact[] {
  const magic = [...first, ...ALWAYS, ...SOMETIMES.filter(() => random.chance(0.5))]
    .slice(0, count)
    .map((number) => `+150055500${number}`);
  const others = Array.from({ length: count - magic.length }, (_, index) => `+12025550${100 + index}`);
  return [...magic, ...others].map((phoneNumber, index) => ({
    phoneNumber,
    name: `Contact ${index}`,
    customData: { amount: String(random.between(1, 500)), ...(large ? { text: LARGE_TEXT } : {}) },
  }));
}
