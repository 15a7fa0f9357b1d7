import process from "node:process";
import { Presets, SingleBar } from "cli-progress";
import { openForReading } from "../composition/open-for-reading.ts";
import { readConfig } from "../infrastructure/config.ts";
import { createLogger } from "../infrastructure/logger.ts";
import { createReadSchema } from "../projections/engine/checkpoints.ts";
import { type RebuildProgress, rebuild } from "../projections/engine/rebuild.ts";
import { BACKGROUND_MODELS, readModelsFor } from "../projections/read-models.ts";
import { type Command, readCommandLine, UsageError } from "./command-line.ts";
import { openingLines } from "./opening-problem.ts";
import { runProgram } from "./process-exit.ts";
import { restoreTerminalAtExit } from "./terminal.ts";

const NOTHING_CHANGED = "Stopped. The read models that served before go on serving; nothing was changed.";

const REBUILD = {
  usage: "npm run rebuild [-- <read model> …]",
  about:
    "Makes read models again from the log, beside those that serve, and puts them in place; all of them when none is named. The service goes on answering meanwhile; without one the embedded database is started and stopped again.",
  options: {},
  takesWords: true,
  environment: [
    "DATA_DIR",
    "DATABASE_URL",
    "SECRETS_KEY",
    "EVENTSTORE_URL",
    "EVENTSTORE_PREFIX",
    "LOG_LEVEL",
  ],
  exitCodes: { 0: "built and in place", 1: "nothing was changed; the line says why" },
} as const satisfies Command;

/**
 * `npm run rebuild [-- name …]`: rebuilds read models from the log, beside those that serve; all of
 * them if none is named.
 */
async function main(stop: AbortSignal): Promise<number> {
  const given = await readCommandLine(REBUILD);
  if (given === null) return 0;
  const config = readConfig();
  const names = given.positionals;
  requireReadModels(names, config.eventStoreUrl);
  const logger = createLogger(config.logLevel === "info" ? "warn" : config.logLevel);
  const stores = await openForReading(config, logger, "log and rows");
  const { readDb: db, eventStore, codec } = stores;
  const bar = progressBar();
  try {
    const projections = [...readModelsFor(config.eventStoreUrl, eventStore), ...BACKGROUND_MODELS].filter(
      ({ name }) => names.length === 0 || names.includes(name),
    );
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

/** Checked before anything is opened, because the names of the read models do not depend on the log. */
function requireReadModels(names: readonly string[], eventStoreUrl: string | null): void {
  const known = [...readModelsFor(eventStoreUrl, { comparePositions: () => 0 }), ...BACKGROUND_MODELS].map(
    ({ name }) => name,
  );
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`There is no read model ${unknown}; there are ${known.join(", ")}`, REBUILD);
}

type ProgressBar = {
  readonly show: (progress: RebuildProgress) => void;
  readonly end: (line: string) => void;
  readonly stop: () => void;
};

/**
 * Positions are opaque, but in both logs they begin with a number that grows: good enough for a progress bar.
 */
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
