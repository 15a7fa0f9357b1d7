import { parseArgs } from "node:util";
import cliProgress from "cli-progress";
import { randomScenario } from "../test/simulation/random-scenario.ts";
import { runScenario } from "../test/simulation/run-scenario.ts";
import { shrink } from "../test/simulation/shrink.ts";

const HELP = `Runs simulated campaigns: the real engine on in-memory stores, in virtual time, with a faulty carrier and crashes.

  npm run simulate -- --seeds 20000          seeds 1 to 20000; a failure is shrunk and printed with its trace
  npm run simulate -- --seeds 1000 --from 5000
  npm run simulate -- --seed 4711            one seed, with its whole trace
`;

const options = {
  seeds: { type: "string", default: "1000" },
  from: { type: "string", default: "1" },
  seed: { type: "string" },
  help: { type: "boolean", default: false },
} as const;

const { values } = parseArgs({ options });
if (values.help) console.log(HELP);
else if (values.seed !== undefined) process.exitCode = await showOne(numberOf("seed", values.seed));
else process.exitCode = await runMany(numberOf("from", values.from), numberOf("seeds", values.seeds));

function numberOf(name: string, text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  console.error(`--${name} takes a whole number, not "${text}"`);
  process.exit(1);
}

async function showOne(seed: number): Promise<number> {
  const { trace, violations } = await runScenario(randomScenario(seed), { traced: true });
  for (const line of trace) console.log(line);
  console.log(violations.length === 0 ? `seed ${seed}: everything holds` : violations.join("\n"));
  return violations.length === 0 ? 0 : 1;
}

/** Stops at the first seed that fails: it is worth more than all that could follow. */
async function runMany(from: number, count: number): Promise<number> {
  const bar = new cliProgress.SingleBar({
    format: "{bar} {value}/{total} seeds · {rate}/s · {deaths} crashes",
    noTTYOutput: true,
    notTTYSchedule: 10_000,
  });
  const began = performance.now();
  let deaths = 0;
  bar.start(count, 0, { rate: 0, deaths });
  for (let done = 0; done < count; done += 1) {
    const result = await runScenario(randomScenario(from + done));
    deaths += result.deaths;
    const rate = Math.round(((done + 1) * 1_000) / (performance.now() - began));
    bar.update(done + 1, { rate, deaths });
    if (result.violations.length === 0) continue;
    bar.stop();
    await explain(from + done, result.violations);
    return 1;
  }
  bar.stop();
  const seconds = (performance.now() - began) / 1_000;
  console.log(
    `${count} seeds from ${from}: everything holds; ${(count / seconds).toFixed(0)} campaigns/s, ${deaths} crashes`,
  );
  return 0;
}

async function explain(seed: number, violations: readonly string[]): Promise<void> {
  console.log(`\nseed ${seed} fails:\n  ${violations.join("\n  ")}\nshrinking…`);
  const smallest = await shrink(randomScenario(seed), {});
  const { trace, violations: left } = await runScenario(smallest, { traced: true });
  console.log(`\nsmallest scenario that still fails:\n${JSON.stringify(smallest, null, 1)}\n`);
  for (const line of trace) console.log(line);
  console.log(`\n  ${left.join("\n  ")}\n\nagain: npm run simulate -- --seed ${seed}`);
}
