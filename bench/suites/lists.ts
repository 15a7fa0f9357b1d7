import process from "node:process";
import type { OwnerId } from "../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import { createPostgresDirectory } from "../../infrastructure/account/directory.ts";
import { createOwnerChanges } from "../../infrastructure/account/owner-changes.ts";
import { createLogger } from "../../infrastructure/logger.ts";
import { createNotifications } from "../../infrastructure/postgres/notifications.ts";
import { withId } from "../bench-api.ts";
import { startBenchReceiver } from "../bench-receiver.ts";
import {
  type BenchService,
  LIMITS_SHOWN,
  loopDelayMs,
  settingsOf,
  startBenchService,
} from "../bench-service.ts";
import { alternate, type Benchmark, type Result } from "../benchmark.ts";
import { references } from "../campaign-set-up.ts";
import { OURS, row } from "../rows.ts";
import { runCampaigns } from "../run-campaign.ts";

const NUMBERS = Number(process.env["LISTS_NUMBERS"] ?? 5_000_000);
const CONTACTS = Number(process.env["LISTS_CONTACTS"] ?? 1_000);
const ASKED = 500;
const RUNS = 51;
/** Gaps as in a register of a country: a number in twenty is on it. */
const FIRST = 905_000_000_000;
const numberAt = (index: number) => FIRST + 20 * index + (index % 7);

/**
 * A list of five million numbers: loaded while campaigns dial, replaced, and looked up. No peer: the goals
 * are the issue's.
 */
export const benchmark: Benchmark = { name: "lists", run: ({ log }) => measure(log) };

async function measure(log: (line: string) => void): Promise<Result> {
  const service = await startBenchService({ env: { SIMULATOR_SPEED: "100000", SIMULATOR_MINUTE_MS: "1" } });
  const receiver = await startBenchReceiver(service);
  const given = await references(service);
  const { id } = await service.api.post(withId, "/api/v1/suppression-lists", {
    name: "Register",
    kind: "registry",
  });
  const dialling = (which: string) =>
    beside(service, () => runCampaigns(service, receiver, given, 1, CONTACTS), which, log);
  const alone = await dialling("campaigns alone");
  const loading = beside(service, () => upload(service, id, 0), "loading", log);
  await Promise.all([loading, runCampaigns(service, receiver, given, 1, CONTACTS)]);
  const loaded = await loading;
  const size = await megabytes(service);
  const replaced = await beside(service, () => upload(service, id, 1), "replacing", log);
  const twice = await megabytes(service);
  const lookUps = await lookedUp(service);
  const settings = await settingsOf(service);
  const { highest } = service.memory();
  receiver.stop();
  await service.remove();
  const rows = [
    row(
      `${NUMBERS.toLocaleString("en")} numbers loaded beside dialling`,
      "s",
      { [OURS]: loaded.seconds },
      { atMost: 60 },
    ),
    row(
      "event loop meanwhile, p99",
      "ms",
      { [OURS]: loaded.p99, "campaigns alone": alone.p99 },
      { atMost: 20 },
    ),
    row(
      "the same numbers less one in a hundred, replaced",
      "s",
      { [OURS]: replaced.seconds },
      { atMost: 60 },
    ),
    row("at rest", "MB", { [OURS]: size }, { atMost: 400 }),
    row("both, until the older ones are removed", "MB", { [OURS]: twice }, { atMost: 800 }),
    row(`${ASKED} look-ups`, "ms", lookUps, { atMost: 2 }),
  ];
  return {
    benchmark: "lists",
    settings: {
      ...settings,
      ...LIMITS_SHOWN,
      contacts: CONTACTS,
      runs: RUNS,
      "resident at most": `${highest.toFixed(0)} MB`,
    },
    rows,
  };
}

/** What some work took, and how late the service's event loop was meanwhile. */
async function beside(
  service: BenchService,
  work: () => Promise<unknown>,
  which: string,
  log: (line: string) => void,
): Promise<{ readonly seconds: number; readonly p99: number }> {
  await loopDelayMs(service);
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1_000;
  const p99 = await loopDelayMs(service);
  log(`${which}: ${seconds.toFixed(1)} s, event loop p99 ${p99.toFixed(1)} ms`);
  return { seconds, p99 };
}

/** Sent as it is made. `without`: every hundredth number is left out. */
async function upload({ url, apiKey }: BenchService, id: string, without: number): Promise<void> {
  const answer = await fetch(`${url}/api/v1/suppression-lists/${id}/numbers`, {
    method: "PUT",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "text/csv" },
    body: ReadableStream.from(fileOf(without)),
    duplex: "half",
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`the list was refused: ${text.slice(0, 300)}`);
}

function* fileOf(without: number): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  yield encoder.encode("phone\r\n");
  for (let from = 0; from < NUMBERS; from += 5_000) {
    let text = "";
    for (let index = from; index < Math.min(NUMBERS, from + 5_000); index += 1)
      if (without === 0 || index % 100 !== 0) text += `+${numberAt(index)}\r\n`;
    yield encoder.encode(text);
  }
}

async function megabytes({ pool }: BenchService): Promise<number> {
  const { rows } = await pool.query<{ megabytes: number }>(
    "select pg_total_relation_size('config.list_numbers') / 1e6::float8 as megabytes",
  );
  return rows[0]?.megabytes ?? Number.NaN;
}

/** Half of the numbers are on the list. Beside it an owner without lists, who pays for the same statement. */
async function lookedUp({ pool }: BenchService): Promise<Record<string, number>> {
  await pool.query("vacuum analyze config.list_numbers");
  const notifications = createNotifications(pool, createLogger("silent"));
  const directory = createPostgresDirectory(pool, createOwnerChanges(notifications));
  const { rows } = await pool.query<{ owner: OwnerId }>(
    "select owner_id as owner from config.suppression_lists",
  );
  const [{ owner } = { owner: "usr_" as const }] = rows;
  const ask = (who: OwnerId) => async () => {
    const numbers = Array.from({ length: ASKED }, (_, index): PhoneNumber => {
      const number = numberAt(Math.floor(Math.random() * NUMBERS));
      return `+${index % 2 === 0 ? number : number + 9}`;
    });
    const started = performance.now();
    const found = await directory.suppressed(who, numbers);
    if (who === owner && found.size < ASKED / 3) throw new Error(`only ${found.size} are on the list`);
    return performance.now() - started;
  };
  return alternate(
    [
      { name: OURS, run: ask(owner) },
      { name: "without lists", run: ask("usr_other") },
    ],
    RUNS,
  );
}
