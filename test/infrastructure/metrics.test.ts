import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { METRICS } from "../../application/metrics/metric-table.ts";
import { createMetrics } from "../../infrastructure/metrics.ts";
import { parseExposition, problemsOf, sampleValue } from "../support/exposition.ts";
import { PROMTOOL, promtool } from "../support/promtool.ts";

const DOCS = join(import.meta.dirname, "../../docs");
const documented = readFileSync(join(DOCS, "metrics.md"), "utf8");
const alerts = readFileSync(join(DOCS, "alerts.yaml"), "utf8");

async function page() {
  return parseExposition(await createMetrics().metricsText());
}

describe("the metrics", () => {
  it("are all there from the beginning, with their type and help", async () => {
    const families = await page();
    const ours = families.filter(({ name }) => name.startsWith("ringfold_"));
    const described = ours.map(({ name, type, help }) => [name, { kind: type, help }]);
    expect(Object.fromEntries(described)).toMatchObject(
      Object.fromEntries(Object.entries(METRICS).map(([name, { kind, help }]) => [name, { kind, help }])),
    );
    expect(ours).toHaveLength(Object.keys(METRICS).length);
  });

  it("have names that begin with ringfold_, or are those that every process of Node has", async () => {
    const names = (await page()).map(({ name }) => name);
    expect(names.filter((name) => !/^(ringfold|process|nodejs)_/.test(name))).toEqual([]);
  });

  it("are written as Prometheus wants names, types and units to be", async () => {
    const families = await page();
    expect(families.length).toBeGreaterThan(40);
    expect(families.flatMap(problemsOf)).toEqual([]);
  });

  it("are each a row of docs/metrics.md, with kind, unit, labels and whose they are", () => {
    const rows = Object.entries(METRICS).map(
      ([name, { kind, unit, labels, of }]) =>
        `| \`${name}\` | ${kind} | ${unit} | ${labels.map((label) => `\`${label}\``).join(", ") || "–"} | ${of} |`,
    );
    expect(rows.filter((row) => !documented.includes(row))).toEqual([]);
    const named = documented.matchAll(/^\| `(ringfold_\w+)`/gm);
    expect([...named].map(([, name]) => name).toSorted()).toEqual(Object.keys(METRICS).toSorted());
  });

  it("are what the alert rules ask for", async () => {
    const families = (await page()).map(({ name }) => name);
    const asked = [...alerts.matchAll(/\b(?:ringfold|process|nodejs)_[a-z0-9_]+/g)].map(([name]) => name);
    expect(asked.length).toBeGreaterThan(8);
    const series = families.flatMap((name) => [name, `${name}_bucket`, `${name}_sum`, `${name}_count`]);
    expect(asked.filter((name) => !series.includes(name))).toEqual([]);
  });

  it("forget the series of a gauge that are not told again", async () => {
    const { metrics, metricsText } = createMetrics();
    const paused = { state: "PAUSED", pause_reason: "manual" };
    metrics.gauges("ringfold_campaigns", [{ value: 2, labels: paused }]);
    metrics.gauges("ringfold_credits_available", [{ value: 7.5, labels: {} }]);
    const before = parseExposition(await metricsText());
    expect(sampleValue(before, "ringfold_campaigns", paused)).toBe(2);
    expect(sampleValue(before, "ringfold_credits_available")).toBe(7.5);
    metrics.gauges("ringfold_campaigns", []);
    metrics.gauges("ringfold_credits_available", []);
    const after = parseExposition(await metricsText());
    const left = after.filter(({ name }) => /^ringfold_(campaigns|credits_available)$/.test(name));
    expect(left.flatMap(({ samples }) => samples)).toEqual([]);
  });

  it.runIf(PROMTOOL !== null)("and their alert rules pass promtool", async () => {
    expect(promtool(["check", "metrics"], await createMetrics().metricsText())).toBe("");
    expect(promtool(["check", "rules", join(DOCS, "alerts.yaml")])).toBe("");
  });
});

describe("the reader of these tests", () => {
  const HEAD = "# HELP a_total A.\n# TYPE a_total counter\n";
  it.each([
    ["a line that does not end", "# HELP a_total A."],
    ["a sample before its type", "a_total 1\n"],
    ["a type without help", "# TYPE a_total counter\na_total 1\n"],
    ["a series twice", `${HEAD}a_total{x="1"} 1\na_total{x="1"} 2\n`],
    ["a value that is no number", `${HEAD}a_total one\n`],
    ["labels that are not quoted", `${HEAD}a_total{x=1} 1\n`],
    ["a sample of another metric", `${HEAD}b_total 1\n`],
    ["a suffix that the type does not have", `${HEAD}a_total_bucket 1\n`],
  ])("refuses %s", (_what, text) => {
    expect(() => parseExposition(text)).toThrow();
  });
});
