import { PlanKind } from "@stryker-mutator/api/core";
import { commonTokens, declareClassPlugin, PluginKind } from "@stryker-mutator/api/plugin";

/**
 * SAMPLE: so many mutants, drawn by SEED, take the place of all of them; those that no test reaches are drawn
 * from too, static ones are not. Without SAMPLE all are measured. At the end it prints the row of
 * docs/mutation.md.
 */
class SampleReporter {
  static inject = [commonTokens.options];
  #all = 0;

  constructor(options) {
    this.size = Number(process.env.SAMPLE ?? Number.POSITIVE_INFINITY);
    this.seed = Number(process.env.SEED ?? Date.now() % 100_000);
    this.folders = process.env.FOLDER ?? options.mutate.join(", ");
  }

  /** The engine works through this same array afterwards. */
  onMutationTestingPlanReady({ mutantPlans }) {
    const judged = mutantPlans.filter((plan) => plan.plan === PlanKind.Run || isUnreached(plan));
    this.#all = judged.length;
    mutantPlans.splice(0, mutantPlans.length, ...drawn(judged, this.size, this.seed));
  }

  onMutationTestReportReady(_report, { systemUnderTestMetrics: { metrics } }) {
    const { killed, timeout, survived, noCoverage, totalValid } = metrics;
    const [low, high] = interval(killed + timeout, totalValid);
    const how = totalValid < this.#all ? `${totalValid}, seed ${this.seed}` : "all";
    const cells = [`\`${this.folders}\``, this.#all, how, killed, timeout, survived, noCoverage];
    const score = `${percent((killed + timeout) / totalValid)} % (${percent(low)} to ${percent(high)})`;
    process.stdout.write(`\n| ${[...cells, score].join(" | ")} |\n`);
  }
}

function isUnreached({ plan, mutant }) {
  return plan === PlanKind.EarlyResult && mutant.status === "NoCoverage";
}

/** The first of a shuffle (Fisher and Yates). */
function drawn(all, size, seed) {
  const left = [...all];
  const next = randomFrom(seed);
  const taken = [];
  while (taken.length < size && left.length > 0)
    taken.push(...left.splice(Math.floor(next() * left.length), 1));
  return taken;
}

/** mulberry32: numbers from 0 to 1. */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** 95 %, after Wilson: also right near 100 %. */
function interval(hits, all) {
  const z = 1.96;
  const share = hits / all;
  const middle = share + z ** 2 / (2 * all);
  const half = z * Math.sqrt((share * (1 - share)) / all + z ** 2 / (4 * all ** 2));
  return [middle - half, middle + half].map((bound) => bound / (1 + z ** 2 / all));
}

function percent(share) {
  return (100 * share).toFixed(1);
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Reporter, "sample", SampleReporter)];
