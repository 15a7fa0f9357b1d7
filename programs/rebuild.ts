import process from "node:process";
import { Presets, SingleBar } from "cli-progress";
import { readConfig } from "../infrastructure/config.ts";
import { createLogger } from "../infrastructure/logger.ts";
import { createReadSchema } from "../projections/engine/checkpoints.ts";
import type { Projection } from "../projections/engine/projection.ts";
import { type RebuildProgress, rebuild } from "../projections/engine/rebuild.ts";
import { readModelsFor } from "../projections/read-models.ts";
import { openStores } from "./open-stores.ts";
import { openingLines } from "./opening-problem.ts";
import { restoreTerminalAtExit } from "./terminal.ts";
import { runProgram } from "./ways-out.ts";

const NOTHING_CHANGED = "Stopped. The read models that served before go on serving; nothing was changed.";

/** `npm run rebuild [-- name …]`: makes read models again from the log, beside those that serve; all of them when none is named. */
async function main(stop: AbortSignal): Promise<number> {
  const config = readConfig();
  const logger = createLogger(config.logLevel === "info" ? "warn" : config.logLevel);
  const stores = await openStores(config, logger, "tool");
  const { readDb: db, eventStore, codec } = stores;
  const bar = progressBar();
  try {
    const projections = chosen(process.argv.slice(2), readModelsFor(config.eventStoreUrl, eventStore));
    await createReadSchema(db);
    await rebuild({ db, eventStore, codec, logger }, projections, {
      signal: stop,
      onProgress: bar.show,
    });
    bar.end(`${projections.map(({ name }) => name).join(", ")}: built again and in place`);
    return 0;
  } catch (error) {
    if (stop.aborted) process.stderr.write(`${NOTHING_CHANGED}\n`);
    throw error;
  } finally {
    bar.stop();
    await stores.close();
  }
}

function chosen(names: readonly string[], all: readonly Projection[]): readonly Projection[] {
  const known = all.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Error(`There is no read model ${unknown}; there are ${known.join(", ")}.`);
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
}

type ProgressBar = {
  readonly show: (progress: RebuildProgress) => void;
  readonly end: (line: string) => void;
  readonly stop: () => void;
};

/** Positions are opaque, but both logs begin them with a number that grows with the log: good enough for a bar. */
function progressBar(): ProgressBar {
  restoreTerminalAtExit();
  const started = performance.now();
  const bar = new SingleBar(
    {
      format: "{bar} {percentage}% | {events} events | {rate} events/s | {eta_formatted} left",
      hideCursor: true,
    },
    Presets.shades_classic,
  );
  let events = 0;
  let running = false;
  const rate = () => Math.round((events / (performance.now() - started)) * 1_000);
  return {
    show(progress) {
      events = progress.events;
      if (!running) bar.start(100, 0, { events: 0, rate: 0 });
      running = true;
      bar.update(percent(progress), { events, rate: rate() });
    },
    end(line) {
      if (running) bar.update(100, { events, rate: rate() });
      if (running) bar.stop();
      running = false;
      process.stdout.write(`${line} (${events} events, ${rate()} a second)\n`);
    },
    stop: () => {
      if (running) bar.stop();
      running = false;
    },
  };
}

function percent({ position, head }: RebuildProgress): number {
  const end = Number.parseFloat(head);
  return end > 0 ? Math.min(100, Math.floor((Number.parseFloat(position) / end) * 100)) : 100;
}

runProgram(main, { tell: openingLines });
