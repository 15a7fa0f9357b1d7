import { execFileSync } from "node:child_process";
import { cpus, totalmem } from "node:os";
import process from "node:process";

/** One side of a comparison: runs once and returns its figure (a rate, milliseconds, …). */
export type Side = { readonly name: string; readonly run: () => Promise<number> };

export type Row = {
  readonly what: string;
  readonly unit: string;
  /** Medians by the name of the side. */
  readonly medians: Readonly<Record<string, number>>;
  /** The goal of the issue, and whether it was reached; null: there is none. */
  readonly goal: string | null;
  readonly reached: boolean | null;
};

export type Result = {
  readonly benchmark: string;
  /** Everything that affects the figures: versions, fsync, synchronous_commit, pool sizes, limits. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  readonly rows: readonly Row[];
};

export type Benchmark = {
  readonly name: string;
  readonly run: (options: { readonly log: (line: string) => void }) => Promise<Result>;
};

/**
 * Runs the sides in turn (A B A B …), so that a noisy minute affects all of them, and
 * returns each one's median.
 */
export async function alternate(sides: readonly Side[], runs = 5): Promise<Record<string, number>> {
  const figures = new Map<string, number[]>(sides.map(({ name }) => [name, []]));
  for (let run = 0; run < runs; run += 1) {
    for (const side of sides) figures.get(side.name)?.push(await side.run());
  }
  return Object.fromEntries([...figures].map(([name, values]) => [name, median(values)]));
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Operations a second, of `count` operations. */
export async function perSecond(count: number, work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (count / (performance.now() - started)) * 1_000;
}

export function machine(): Record<string, string | number> {
  const model = cpus()[0]?.model ?? "unknown";
  return {
    cpu: model,
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    commit: execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim(),
    date: new Date().toISOString().slice(0, 10),
  };
}
