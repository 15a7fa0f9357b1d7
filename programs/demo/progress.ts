import { Presets, SingleBar } from "cli-progress";
import { restoreTerminalAtExit } from "../terminal.ts";

export type Progress = {
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly active: number;
  readonly retrying: number;
  readonly callsPerSecond: number;
};

/** A bar on a terminal; elsewhere (a CI log) a line every two seconds. */
export type ProgressDisplay = { show(progress: Progress): void; end(): void };

/**
 * Within 80 columns for 10,000 contacts; longer lines are cut off, because a wrapped bar cannot be redrawn.
 */
const FORMAT =
  "{bar} {percentage}% | reached {succeeded}, not {failed} | in calls {active} | retrying {retrying} | {callsPerSecond}/s";
const BAR_COLUMNS = 8;

export function progressDisplay(total: number): ProgressDisplay {
  const options = {
    format: FORMAT,
    hideCursor: true,
    clearOnComplete: false,
    noTTYOutput: true,
    notTTYSchedule: 2_000,
    barsize: BAR_COLUMNS,
  };
  restoreTerminalAtExit();
  const bar = new SingleBar(options, Presets.shades_classic);
  bar.start(total, 0, { succeeded: 0, failed: 0, active: 0, retrying: 0, callsPerSecond: 0 });
  return {
    show: ({ succeeded, failed, ...rest }) => bar.update(succeeded + failed, { succeeded, failed, ...rest }),
    end: () => bar.stop(),
  };
}
