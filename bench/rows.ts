import type { Row } from "./benchmark.ts";

type Medians = Readonly<Record<string, number>>;

/** The goal of our side: a figure, a multiple of another side, or several of these. */
export type Goal =
  | { readonly atLeast: number }
  | { readonly atMost: number }
  | { readonly timesAtLeast: number; readonly of: string }
  | { readonly timesAtMost: number; readonly of: string };

export const OURS = "ringfold";

export function row(what: string, unit: string, medians: Medians, ...goals: readonly Goal[]): Row {
  return {
    what,
    unit,
    medians,
    goal: goals.length === 0 ? null : goals.map((goal) => textOf(goal, medians)).join(", "),
    reached: goals.length === 0 ? null : goals.every((goal) => isReached(goal, medians)),
  };
}

function isReached(goal: Goal, medians: Medians): boolean {
  const ours = figure(medians, OURS);
  if ("atLeast" in goal) return ours >= goal.atLeast;
  if ("atMost" in goal) return ours <= goal.atMost;
  if ("timesAtLeast" in goal) return ours >= goal.timesAtLeast * figure(medians, goal.of);
  return ours <= goal.timesAtMost * figure(medians, goal.of);
}

function textOf(goal: Goal, medians: Medians): string {
  if ("atLeast" in goal) return `≥ ${goal.atLeast.toLocaleString("en")}`;
  if ("atMost" in goal) return `≤ ${goal.atMost.toLocaleString("en")}`;
  const times = (figure(medians, OURS) / figure(medians, goal.of)).toFixed(2);
  if ("timesAtLeast" in goal) return `≥ ${goal.timesAtLeast}× ${goal.of} (${times}×)`;
  return `≤ ${goal.timesAtMost}× ${goal.of} (${times}×)`;
}

function figure(medians: Medians, side: string): number {
  return medians[side] ?? Number.NaN;
}
