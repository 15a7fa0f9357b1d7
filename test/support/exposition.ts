/** One number of a page of metrics: `name{label="value"} value`. */
export type Sample = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

export type MetricFamily = {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
};

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/y;
const NUMBER = /^(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|[+-]Inf|NaN)$/i;
/** What the samples of a family may have behind their name. */
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  counter: [""],
  gauge: [""],
  histogram: ["_bucket", "_sum", "_count"],
  summary: ["", "_sum", "_count"],
};

/**
 * Reads Prometheus' text format 0.0.4 as strictly as its description is written: HELP and TYPE once and
 * before the samples, all samples of a metric together, no series twice, only what the type allows. Throws
 * where the text is not so.
 */
export function parseExposition(text: string): readonly MetricFamily[] {
  if (!text.endsWith("\n")) throw new Error("the last line does not end");
  const families: { name: string; type: string; help: string; samples: Sample[] }[] = [];
  const helps = new Map<string, string>();
  const seen = new Set<string>();
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const comment = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line);
    if (comment !== null) {
      const [, kind = "", name = "", rest = ""] = comment;
      if (kind === "HELP") once(helps, name, rest);
      else families.push(openFamily(families, helps, name, rest));
      continue;
    }
    const sample = parseSample(line);
    const family = families.at(-1);
    const suffixes = SUFFIXES[family?.type ?? ""] ?? [];
    if (!suffixes.some((suffix) => sample.name === `${family?.name}${suffix}`))
      throw new Error(`not where it belongs: ${line}`);
    const series = `${sample.name} ${JSON.stringify(Object.entries(sample.labels).sort())}`;
    if (seen.has(series)) throw new Error(`twice: ${line}`);
    seen.add(series);
    family?.samples.push(sample);
  }
  return families;
}

function once(helps: Map<string, string>, name: string, help: string): void {
  if (helps.has(name)) throw new Error(`HELP twice: ${name}`);
  helps.set(name, help);
}

function openFamily(
  families: readonly MetricFamily[],
  helps: ReadonlyMap<string, string>,
  name: string,
  type: string,
) {
  const help = helps.get(name);
  if (help === undefined) throw new Error(`no HELP before TYPE: ${name}`);
  if (families.some((family) => family.name === name)) throw new Error(`TYPE twice: ${name}`);
  if (SUFFIXES[type] === undefined) throw new Error(`no type that there is: ${name} ${type}`);
  return { name, type, help, samples: [] };
}

function parseSample(line: string): Sample {
  const [, name, labels, value = ""] = SAMPLE.exec(line) ?? [];
  if (name === undefined || !NUMBER.test(value)) throw new Error(`no sample: ${line}`);
  const number = Number(value.replace(/inf$/i, "Infinity"));
  return { name, labels: parseLabels(labels ?? "", line), value: number };
}

function parseLabels(text: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {};
  let at = 0;
  while (at < text.length) {
    LABEL.lastIndex = at;
    const [whole, name, value] = LABEL.exec(text) ?? [];
    if (whole === undefined || name === undefined || value === undefined || name in labels)
      throw new Error(`no labels: ${line}`);
    labels[name] = value.replaceAll(/\\(.)/g, (_escape, one: string) => (one === "n" ? "\n" : one));
    at += whole.length;
  }
  return labels;
}

/** What `promtool check metrics` would say (its rules of names and types), for machines without it. */
export function problemsOf({ name, type, help, samples }: MetricFamily): string[] {
  const labels = new Set(samples.flatMap((sample) => Object.keys(sample.labels)));
  const wrong: readonly (readonly [boolean, string])[] = [
    [help.trim() === "", "no help"],
    [type === "counter" && !name.endsWith("_total"), "a counter without _total"],
    [type !== "counter" && name.endsWith("_total"), "_total and no counter"],
    [/_(count|sum|bucket)$/.test(name), "a suffix that belongs to histograms"],
    [name.includes(":"), "a colon, which is for recording rules"],
    [/[A-Z]/.test(name) || [...labels].some((label) => /[A-Z]/.test(label)), "camelCase"],
    [new RegExp(`_(${type}|counter|gauge|histogram|summary)(_|$)`).test(name), "its type in its name"],
    [/_(ms|millis|milliseconds|minutes|hours|days|kb|mb|kilobytes|percent)(_|$)/.test(name), "no base unit"],
    [/_(s|sec|secs|b)(_|$)/.test(name), "an abbreviated unit"],
    [type !== "histogram" && labels.has("le"), "le outside of a histogram"],
    [type !== "summary" && labels.has("quantile"), "quantile outside of a summary"],
  ];
  return wrong.flatMap(([isSo, problem]) => (isSo ? [`${name}: ${problem}`] : []));
}

/** The value of one series, or the sum of those that have these labels. */
export function sampleValue(
  families: readonly MetricFamily[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  const found = families
    .flatMap(({ samples }) => samples)
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value));
  return found.reduce((sum, { value }) => sum + value, 0);
}
