import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { Presets, SingleBar } from "cli-progress";
import type { Client } from "../../client/api.ts";
import { createClient } from "../../client/client.ts";
import { paginate } from "../../client/pages.ts";
import type { ClientOptions } from "../../client/transport.ts";
import type {
  RehearsalRecord,
  RehearsalRequest,
  RehearsalRunRecord,
  RehearsalRunSummary,
} from "../../contract/rehearsal.ts";
import { restoreTerminalAtExit } from "../terminal.ts";

/** With its messages where an expectation was missed or something went wrong. */
export type PlayedRun = RehearsalRunSummary & Partial<Pick<RehearsalRunRecord, "messages">>;

/** A rehearsal that is over, with all its runs in their order. */
export type Played = { readonly rehearsal: RehearsalRecord; readonly runs: readonly PlayedRun[] };

const FIRST_LOOK_MILLIS = 250;
const LONGEST_PAUSE_MILLIS = 2_000;
/** A request survives a restart of the service: they take 28 to 55 s. */
const RETRIES = 10;
const CANCEL_MILLIS = 10_000;

/**
 * Begins a rehearsal and follows it to its end. After `stop` it is cancelled, and this rejects. Rejects with
 * what the service refuses.
 */
export async function playedRehearsal(
  service: Pick<ClientOptions, "baseUrl" | "apiKey">,
  body: RehearsalRequest,
  stop: AbortSignal,
): Promise<Played> {
  // Not aborted: what was begun and never heard of could not be cancelled.
  const begun = await createClient(service).rehearsals.createRehearsal(body);
  const started = begun.data.data;
  const client = createClient({ ...service, retries: RETRIES });
  const rehearsal = await untilOver(client, started, stop).catch(async (error: unknown) => {
    if (stop.aborted) await cancel(client, started.id);
    throw error;
  });
  return { rehearsal, runs: await runsOf(client, rehearsal.id, stop) };
}

async function cancel(client: Client, id: string): Promise<void> {
  const signal = AbortSignal.timeout(CANCEL_MILLIS);
  const said = await client.rehearsals.cancelRehearsal(id, undefined, { signal }).then(
    () => `${id} was cancelled.`,
    () => `${id} could not be cancelled and may go on.`,
  );
  process.stderr.write(`${said}\n`);
}

async function untilOver(
  client: Client,
  started: RehearsalRecord,
  signal: AbortSignal,
): Promise<RehearsalRecord> {
  const bar = barOf(started);
  try {
    let seen = started;
    for (let pause = FIRST_LOOK_MILLIS; seen.status === "running"; ) {
      await wait(pause, null, { signal });
      pause = Math.min(pause * 1.5, LONGEST_PAUSE_MILLIS);
      seen = (await client.rehearsals.getRehearsal(started.id, { signal })).data.data;
      bar.show(seen);
    }
    return seen;
  } finally {
    bar.end();
  }
}

const runsIn = ({ byCase }: RehearsalRecord): number =>
  byCase.reduce(
    (sum, each) => sum + each.passed + each.failed + each.errors + each.cancelled + each.waiting,
    0,
  );

/** On a terminal a bar; elsewhere (a log of CI) a line every ten seconds. */
function barOf(started: RehearsalRecord) {
  restoreTerminalAtExit();
  const bar = new SingleBar(
    {
      format: "{bar} {value}/{total} runs | failed {failed} | errors {errors}{waits}",
      barsize: 20,
      hideCursor: true,
      clearOnComplete: true,
      noTTYOutput: true,
      notTTYSchedule: 10_000,
    },
    Presets.shades_classic,
  );
  const shown = ({ failed, errors, waitingFor }: RehearsalRecord) => ({
    failed,
    errors,
    waits: waitingFor === null ? "" : " | waits for tokens of the plan",
  });
  const runs = runsIn(started);
  bar.start(runs, 0, shown(started));
  return {
    show: (seen: RehearsalRecord) => bar.update(Math.round(seen.progress * runs), shown(seen)),
    end: () => bar.stop(),
  };
}

async function runsOf(client: Client, id: string, signal: AbortSignal): Promise<readonly PlayedRun[]> {
  const listed = paginate((page) => client.rehearsals.listRuns(id, page, { signal }));
  return Array.fromAsync(listed, async (run) =>
    run.status === "failed" || run.status === "error"
      ? (await client.rehearsals.getRun(id, run.runId, { signal })).data.data
      : run,
  );
}
