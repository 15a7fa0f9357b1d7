import { DOORS, type Door } from "../../test/support/doors/foreign-doors.ts";
import { longestTurnMillis, processorMillis } from "../../test/support/doors/processor.ts";
import type { Benchmark, Result } from "../benchmark.ts";
import { row } from "../rows.ts";

const GOAL_MILLIS = 50;
/** So many of the inputs that cost most in a single run are measured again. */
const MEASURED = 3;
const RUNS = 5;

/**
 * At the byte limit of each door: how long its worst input keeps everybody else waiting. That is the
 * processor time of the whole work, or, where a worker does it or it is done in turns, of the longest turn.
 */
export const benchmark: Benchmark = { name: "doors", run: ({ log }) => measure(log) };

async function measure(log: (line: string) => void): Promise<Result> {
  const rows = [];
  for (const door of DOORS) {
    const { name, millis } = await worstOf(door);
    log(`${door.name}: ${name}, ${millis.toFixed(1)} ms`);
    const what = `${door.name}, ${Math.round(door.bytes / 1_024).toLocaleString("en")} KiB: ${name}`;
    rows.push(row(what, "ms", { ringfold: millis }, { atMost: GOAL_MILLIS }));
  }
  const inputs = DOORS.reduce((sum, { worst }) => sum + worst.length, 0);
  return { benchmark: "doors", settings: { doors: DOORS.length, inputs }, rows };
}

async function worstOf({ bytes, worst, enter, inService }: Door): Promise<{ name: string; millis: number }> {
  const millisOf = (text: string, runs: number): Promise<number> => {
    if (inService === undefined) return processorMillis(() => enter(text), runs);
    const input = Buffer.from(text);
    return leastTurn(() => inService(input), runs);
  };
  const once = [];
  for (const { name, of } of worst) once.push({ name, of, millis: await millisOf(of(bytes), 1) });
  const measured = [];
  for (const { name, of } of once.toSorted((a, b) => b.millis - a.millis).slice(0, MEASURED))
    measured.push({ name, millis: await millisOf(of(bytes), RUNS) });
  return measured.reduce((most, each) => (each.millis > most.millis ? each : most));
}

/** Of several runs, because a collection of garbage in one of them is not the input's. */
async function leastTurn(work: () => Promise<unknown>, runs: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) least = Math.min(least, await longestTurnMillis(work));
  return least;
}
