export type MetricRow = {
  readonly kind: "counter" | "gauge" | "histogram";
  /** What its value counts; times are seconds, amounts credits. */
  readonly unit: string;
  /**
   * process: each process tells its own; add counts up, take the largest age. installation: take the
   * largest.
   */
  readonly of: "process" | "installation";
  /** Few values each, and none that a caller or an owner chooses. */
  readonly labels: readonly string[];
  readonly help: string;
};

export type MetricTable = Readonly<Record<string, MetricRow>>;
