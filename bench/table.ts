import type { Result, Row } from "./benchmark.ts";

/** A result as a Markdown table, with its settings above. */
export function tableOf(
  { benchmark, settings, rows }: Result,
  machine: Readonly<Record<string, string | number>>,
): string {
  const sides = [...new Set(rows.flatMap((row) => Object.keys(row.medians)))];
  const header = ["what", ...sides, "unit", "goal", "reached"];
  const lines = [header, header.map(() => "---"), ...rows.map((row) => cells(row, sides))];
  const facts = Object.entries({ ...machine, ...settings }).map(([name, value]) => `${name} ${value}`);
  return `\n## ${benchmark}\n\n${facts.join(" · ")}\n\n${lines.map((line) => `| ${line.join(" | ")} |`).join("\n")}\n`;
}

function cells(row: Row, sides: readonly string[]): string[] {
  const figures = sides.map((side) => formatted(row.medians[side]));
  return [
    row.what,
    ...figures,
    row.unit,
    row.goal ?? "–",
    row.reached === null ? "–" : row.reached ? "yes" : "no",
  ];
}

function formatted(figure: number | undefined): string {
  if (figure === undefined) return "–";
  return figure >= 100 ? Math.round(figure).toLocaleString("en") : figure.toPrecision(3);
}
