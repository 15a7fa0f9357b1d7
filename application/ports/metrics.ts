import type { CounterName, GaugeName, HistogramName, LabelsOf } from "../metrics/metric-table.ts";

/** Values for /metrics, each with all of its labels. */
export interface Metrics {
  count<Name extends CounterName>(name: Name, labels: LabelsOf<Name>, by?: number): void;
  gauge<Name extends GaugeName>(name: Name, value: number, labels: LabelsOf<Name>): void;
  /** Replaces all series of a gauge. */
  gauges<Name extends GaugeName>(name: Name, series: readonly Series<Name>[]): void;
  observe<Name extends HistogramName>(name: Name, value: number, labels: LabelsOf<Name>): void;
}

export type Series<Name extends GaugeName> = {
  readonly value: number;
  readonly labels: LabelsOf<Name>;
};
