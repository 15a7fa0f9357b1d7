import type { Instant } from "../../../domain/shared/instant.ts";

export const SERIES_STEPS = ["1m", "1h", "1d"] as const;
export type SeriesStep = (typeof SERIES_STEPS)[number];
export const SERIES_VALUES = ["status", "endReason"] as const;
/** The property by which the calls of a bucket are counted. */
export type SeriesBy = (typeof SERIES_VALUES)[number];

/** `edges`: the beginnings of the buckets, in whole minutes, ascending, and the end of the last one. */
export type SeriesQuestion = { readonly edges: readonly Instant[]; readonly by: SeriesBy };

/** By value, a count for each bucket; values that do not occur are left out. */
export type CallSeries = Readonly<Record<string, readonly number[]>>;
