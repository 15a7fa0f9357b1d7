import { mkdirSync, writeFileSync } from "node:fs";

export type Bar = { readonly label: string; readonly value: number };
export type Chart = {
  readonly title: string;
  readonly unit: string;
  readonly bars: readonly Bar[];
  /** A line across all bars. */
  readonly goal?: { readonly label: string; readonly value: number };
};

const WIDTH = 720;
const ROW = 34;
const LEFT = 250;
const RIGHT = 110;
const TOP = 56;

/** Writes docs/pictures/<name>.svg: bars that begin at zero, readable on light and dark backgrounds. */
export function drawChart(name: string, chart: Chart): void {
  const folder = new URL("../docs/pictures/", import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL(`${name}.svg`, folder), svgOf(chart));
}

export function svgOf({ title, unit, bars, goal }: Chart): string {
  const height = TOP + bars.length * ROW + 30;
  const largest = Math.max(...bars.map(({ value }) => value), goal?.value ?? 0, Number.MIN_VALUE);
  const across = (value: number) => (value / largest) * (WIDTH - LEFT - RIGHT);
  const rows = bars.map(({ label, value }, index) => {
    const y = TOP + index * ROW;
    return `<text x="${LEFT - 10}" y="${y + 20}" text-anchor="end">${escaped(label)}</text>
<rect x="${LEFT}" y="${y + 5}" width="${across(value).toFixed(1)}" height="${ROW - 12}" fill="#3b6fb6"/>
<text x="${(LEFT + across(value) + 8).toFixed(1)}" y="${y + 20}">${figureOf(value)}</text>`;
  });
  const line =
    goal === undefined
      ? ""
      : `<line x1="${(LEFT + across(goal.value)).toFixed(1)}" x2="${(LEFT + across(goal.value)).toFixed(1)}" y1="${TOP - 4}" y2="${height - 24}" stroke="#c0392b" stroke-dasharray="4 3"/>
<text x="${(LEFT + across(goal.value)).toFixed(1)}" y="${height - 8}" text-anchor="middle">${escaped(goal.label)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="14" role="img" aria-label="${escaped(title)}">
<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>
<text x="16" y="28" font-size="17" font-weight="bold">${escaped(title)}</text>
<text x="${WIDTH - 16}" y="28" text-anchor="end" fill="#555555">${escaped(unit)}</text>
${rows.join("\n")}
${line}
</svg>
`;
}

function figureOf(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
