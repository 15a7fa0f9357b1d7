import { Presets, SingleBar } from "cli-progress";

export type Progress = {
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly active: number;
  readonly retrying: number;
  readonly callsPerSecond: number;
};

/** A bar on a terminal; elsewhere (a log of CI) a line every two seconds. */
export type ProgressDisplay = { show(progress: Progress): void; end(): void };

const FORMAT =
  "  {bar} {percentage}% | succeeded {succeeded} | failed {failed} | active {active} | retrying {retrying} | {callsPerSecond} calls/s";

export function progressDisplay(total: number): ProgressDisplay {
  const options = {
    format: FORMAT,
    hideCursor: true,
    clearOnComplete: false,
    noTTYOutput: true,
    notTTYSchedule: 2_000,
    barsize: 24,
  };
  const bar = new SingleBar(options, Presets.shades_classic);
  bar.start(total, 0, { succeeded: 0, failed: 0, active: 0, retrying: 0, callsPerSecond: 0 });
  return {
    show: ({ succeeded, failed, ...rest }) => bar.update(succeeded + failed, { succeeded, failed, ...rest }),
    end: () => bar.stop(),
  };
}
