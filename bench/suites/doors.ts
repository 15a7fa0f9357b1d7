import { DOORS, type Door, SHOWS_AT } from "../../test/support/doors/foreign-doors.ts";
import { processorMillis } from "../../test/support/doors/processor.ts";
import type { Benchmark, Result } from "../benchmark.ts";
import { row } from "../rows.ts";

const GOAL_MILLIS = 50;
/** So many of the inputs that cost most when small are measured at the door's byte limit. */
const MEASURED = 3;

/** Processor time of the worst input of each door at its byte limit. */
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

async function worstOf({ bytes, worst, enter }: Door): Promise<{ name: string; millis: number }> {
  const small = [];
  for (const { name, of } of worst) {
    const text = of(Math.min(bytes, SHOWS_AT));
    small.push({ name, of, millis: await processorMillis(() => enter(text), 3) });
  }
  const measured = [];
  for (const { name, of } of small.toSorted((a, b) => b.millis - a.millis).slice(0, MEASURED)) {
    const text = of(bytes);
    await enter(text);
    measured.push({ name, millis: await processorMillis(() => enter(text), 5) });
  }
  return measured.reduce((most, each) => (each.millis > most.millis ? each : most));
}
