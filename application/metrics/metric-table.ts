import { CALLING } from "./calling.ts";
import { DELIVERING } from "./delivering.ts";
import { SERVING } from "./serving.ts";
import { TALKING } from "./talking.ts";

/** Everything of ours in GET /metrics; docs/metrics.md says the same to people. */
export const METRICS = { ...CALLING, ...TALKING, ...SERVING, ...DELIVERING };

type Table = typeof METRICS;
type NamesOf<Kind> = { [Name in keyof Table]: Table[Name]["kind"] extends Kind ? Name : never }[keyof Table];

export type MetricName = keyof Table;
export type CounterName = NamesOf<"counter">;
export type GaugeName = NamesOf<"gauge">;
export type HistogramName = NamesOf<"histogram">;
export type LabelsOf<Name extends MetricName> = Readonly<Record<Table[Name]["labels"][number], string>>;
