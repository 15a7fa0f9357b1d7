import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { Presets, SingleBar } from "cli-progress";
import { chainPoints } from "../simulation/drills/drill-chains.ts";
import { DRILL_POINTS, type DrillPoint, pointName } from "../simulation/drills/drill-points.ts";
import { planDrills } from "../simulation/drills/plan-drills.ts";
import { prepareData } from "../simulation/drills/prepared-data.ts";
import { type DrillResult, runDrill } from "../simulation/drills/run-drill.ts";
import { startMany } from "../simulation/drills/start-many.ts";
import { type Command, type Given, readCommandLine, UsageError } from "./command-line.ts";
import { requireNode24 } from "./node-version.js";
import { orStopped, runProgram } from "./process-exit.ts";
import { restoreTerminalAtExit } from "./terminal.ts";

requireNode24();

const DRILL = {
  usage: "npm run drill [-- --count N] [--point name] [--seed N] [--at-once N]",
  about:
    "Kills the service at named points while it works, starts it again, and judges by what the carrier and the receiver of webhooks saw.",
  options: {
    count: { type: "string", value: "N", about: "how many drills (default: one for each point)" },
    point: { type: "string", value: "name", about: "at this point only; a wrong name answers all of them" },
    seed: { type: "string", default: "1", value: "N", about: "draws the drills (default 1)" },
    "at-once": { type: "string", default: "8", value: "N", about: "drills at the same time (default 8)" },
  },
  environment: [],
  exitCodes: { 0: "every drill passed", 1: "one did not; its command, its log and the reason are told" },
} as const satisfies Command;

/** `npm run drill`: kills the service at named points and judges the records of carrier and receiver. */
async function main(): Promise<number> {
  const given = await readCommandLine(DRILL);
  if (given === null) return 0;
  const { points, count, seed, atOnce } = drillArguments(given);
  const plans = planDrills(points, count, seed);
  restoreTerminalAtExit();
  const bar = new SingleBar(
    {
      noTTYOutput: true,
      notTTYSchedule: 5_000,
      format: "{bar} {value}/{total} drills, {failed} failed, {eta_formatted} left",
    },
    Presets.rect,
  );
  let failed = 0;
  bar.start(plans.length, 0, { failed });
  const began = performance.now();
  const prepared = await prepareData();
  const started = startMany(plans, atOnce, async (plan) => {
    const result = await runDrill(plan, prepared);
    if (result.problems.length > 0) {
      failed += 1;
      process.stdout.write(`\n${failure(result)}\n`);
    }
    bar.increment(1, { failed });
    return result;
  });
  const results = await Promise.all(started);
  bar.stop();
  await prepared.remove();
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  process.stdout.write(`${hitsPerPoint(results)}\n`);
  process.stdout.write(`${results.length - failed} of ${results.length} drills passed in ${seconds} s\n`);
  return failed === 0 ? 0 : 1;
}

type DrillArguments = {
  readonly points: readonly DrillPoint[];
  readonly count: number;
  readonly seed: number;
  readonly atOnce: number;
};

function drillArguments({ values }: Given<typeof DRILL>): DrillArguments {
  const points =
    values.point === undefined
      ? DRILL_POINTS
      : [...DRILL_POINTS, ...chainPoints(DRILL_POINTS)].filter((point) => pointName(point) === values.point);
  if (points.length === 0)
    throw new UsageError(`--point takes one of:\n${DRILL_POINTS.map(pointName).join("\n")}`, DRILL);
  return {
    points,
    count: wholeNumber("--count", values.count ?? String(points.length)),
    seed: wholeNumber("--seed", values.seed),
    atOnce: wholeNumber("--at-once", values["at-once"]),
  };
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new UsageError(`${name} takes a whole number from 1 on, not "${text}"`, DRILL);
  return value;
}

/** How often the service died at each point, of how many drills. */
function hitsPerPoint(results: readonly DrillResult[]): string {
  const names = [...new Set(results.map(({ point }) => point))].sort();
  return names
    .map((name) => {
      const of = results.filter(({ point }) => point === name);
      const hits = of.filter(({ died }) => died).length;
      const longest = Math.max(...of.map(({ millis }) => millis)) / 1_000;
      return `${String(hits).padStart(4)} of ${String(of.length).padEnd(4)} ${longest.toFixed(1).padStart(6)} s  ${name}`;
    })
    .join("\n");
}

/** A failed drill with the command that repeats it, and the path of its log. */
function failure({ point, seed, crashAt, problems, log }: DrillResult): string {
  const file = join(tmpdir(), `ringfold-drill-${point.replaceAll("/", "-")}-${seed}.log`);
  writeFileSync(file, log);
  const command = `npm run drill -- --point ${point} --seed ${seed}`;
  const shown = problems.slice(0, 20).map((problem) => `  ${problem}`);
  return [`FAILED ${command}  (CRASH_AT=${crashAt.join(", then ")})`, ...shown, `  log: ${file}`].join("\n");
}

// The programs and folders of the drills end with this one, also when it is interrupted.
runProgram((stop) => orStopped(stop, main()));
