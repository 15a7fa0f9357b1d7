import cliProgress from "cli-progress";
import { runSeeds, type SeedFailure } from "../simulation/campaigns/seed-pool.ts";
import { type Command, readCommandLine, UsageError } from "./command-line.ts";
import { orStopped, runProgram } from "./process-exit.ts";
import { restoreTerminalAtExit } from "./terminal.ts";

const SIMULATE = {
  usage: "npm run simulate [-- --seeds N] [--from N] [--seed N]",
  about:
    "Runs simulated campaigns: the real engine on stores in memory, in virtual time, with a faulty carrier and crashes. A seed that fails is made smaller and printed with its trace.",
  options: {
    seeds: { type: "string", default: "1000", value: "N", about: "how many seeds (default 1000)" },
    from: { type: "string", default: "1", value: "N", about: "the first of them (default 1)" },
    seed: { type: "string", value: "N", about: "this one alone, with its whole trace" },
  },
  environment: [],
  exitCodes: { 0: "everything holds", 1: "a seed fails" },
} as const satisfies Command;

runProgram((stop) => orStopped(stop, main()));

async function main(): Promise<number> {
  const given = await readCommandLine(SIMULATE);
  if (given === null) return 0;
  const { seed, seeds, from } = given.values;
  if (seed !== undefined) return showOne(numberOf("seed", seed));
  return runMany(numberOf("from", from), numberOf("seeds", seeds));
}

function numberOf(name: string, text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw new UsageError(`--${name} takes a whole number, not "${text}"`, SIMULATE);
}

/** The engine: this thread needs it only to show a campaign, and twenty run in the time of loading it. */
const loadEngine = async () => ({
  ...(await import("../simulation/campaigns/random-scenario.ts")),
  ...(await import("../simulation/campaigns/run-scenario.ts")),
});

async function showOne(seed: number): Promise<number> {
  const { randomScenario, runScenario } = await loadEngine();
  const { trace, violations } = await runScenario(randomScenario(seed), { traced: true });
  for (const line of trace) console.log(line);
  console.log(violations.length === 0 ? `seed ${seed}: everything holds` : violations.join("\n"));
  return violations.length === 0 ? 0 : 1;
}

/** On all cores. Stops at the first seed that fails, because that is the result that matters. */
async function runMany(from: number, count: number): Promise<number> {
  restoreTerminalAtExit();
  const bar = new cliProgress.SingleBar({
    format: "{bar} {value}/{total} seeds · {rate}/s · {deaths} crashes",
    noTTYOutput: true,
    notTTYSchedule: 10_000,
  });
  const began = performance.now();
  const cpuBefore = process.cpuUsage();
  let done = 0;
  let deaths = 0;
  const rate = () => Math.round((done * 1_000) / (performance.now() - began));
  bar.start(count, 0, { rate: 0, deaths });
  const { failures } = await runSeeds({ from, count }, (results) => {
    done += results.count;
    deaths += results.deaths;
    bar.update(done, { rate: rate(), deaths });
    return results.failures.length > 0 ? "stop" : "go on";
  });
  bar.stop();
  const [first] = failures;
  if (first !== undefined) {
    await explain(first);
    return 1;
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  const cpuMillis = ((user + system) / 1_000 / count).toFixed(1);
  console.log(
    `${count} seeds from ${from}: everything holds; ${rate()} campaigns/s, ${cpuMillis} ms of processor time each, ${deaths} crashes`,
  );
  return 0;
}

async function explain({ seed, violations }: SeedFailure): Promise<void> {
  console.log(`\nseed ${seed} fails:\n  ${violations.join("\n  ")}\nshrinking…`);
  const { randomScenario, runScenario } = await loadEngine();
  const { shrink } = await import("../simulation/campaigns/shrink.ts");
  const smallest = await shrink(randomScenario(seed), {});
  const { trace, violations: left } = await runScenario(smallest, { traced: true });
  console.log(`\nsmallest scenario that still fails:\n${JSON.stringify(smallest, null, 1)}\n`);
  for (const line of trace) console.log(line);
  console.log(`\n  ${left.join("\n  ")}\n\nagain: npm run simulate -- --seed ${seed}`);
}
