import { callsProjection } from "../../projections/calls/calls.ts";
import { campaignsProjection } from "../../projections/campaigns/campaigns.ts";
import { tableName } from "../../projections/engine/projection.ts";
import { anything } from "../bench-api.ts";
import { startBenchReceiver } from "../bench-receiver.ts";
import { LIMITS_SHOWN, settingsOf, startBenchService } from "../bench-service.ts";
import { alternate, type Benchmark, type Result } from "../benchmark.ts";
import { references } from "../campaign-set-up.ts";
import { httpLoad } from "../http-load.ts";
import { startRawServer } from "../raw-side.ts";
import { row } from "../rows.ts";
import { runCampaigns } from "../run-campaign.ts";

const CONTACTS = 2_000;
const CLIENTS = 16;
const RUN_MILLIS = 1_000;
const PAGE = 50;
const tables = {
  calls: tableName(callsProjection, "calls"),
  campaigns: tableName(campaignsProjection, "campaigns"),
};

/** Reads of the API, compared with Fastify and one raw select of the same rows. */
export const benchmark: Benchmark = { name: "reads", run: ({ log }) => measure(log) };

async function measure(log: (line: string) => void): Promise<Result> {
  const service = await startBenchService({ env: { SIMULATOR_SPEED: "100000", SIMULATOR_MINUTE_MS: "1" } });
  const receiver = await startBenchReceiver(service);
  log(`a campaign of ${CONTACTS}`);
  await runCampaigns(service, receiver, await references(service), 1, CONTACTS);
  const callId = await oneId(service, tables.calls);
  const campaignId = await oneId(service, tables.campaigns);
  const cases = [
    {
      what: "GET a call",
      name: "call",
      path: `/api/v1/calls/${callId}`,
      select: `select * from read.${tables.calls} where id = '${callId}'`,
    },
    {
      what: "GET a campaign",
      name: "campaign",
      path: `/api/v1/campaigns/${campaignId}`,
      select: `select * from read.${tables.campaigns} where id = '${campaignId}'`,
    },
    {
      what: `GET a page of ${PAGE} calls`,
      name: "calls",
      path: `/api/v1/calls?limit=${PAGE}`,
      select: `select * from read.${tables.calls} order by id desc limit ${PAGE}`,
    },
  ];
  for (const { path } of cases) await service.api.get(anything, path);
  const raw = await startRawServer(
    service,
    Object.fromEntries(cases.map(({ name, select }) => [name, select])),
  );
  const rows = [];
  for (const { what, name, path } of cases) {
    log(what);
    const side = async (url: string, asked: string) =>
      (
        await httpLoad({ url, apiKey: service.apiKey }, CLIENTS, RUN_MILLIS, () => ({
          method: "GET",
          path: asked,
        }))
      ).rate;
    const medians = await alternate([
      { name: "ringfold", run: () => side(service.url, path) },
      { name: "Fastify + select", run: () => side(raw.url, `/raw/${name}`) },
    ]);
    rows.push(row(what, "1/s", medians, { timesAtLeast: 0.7, of: "Fastify + select" }));
  }
  const settings = await settingsOf(service);
  await raw.stop();
  receiver.stop();
  await service.remove();
  return {
    benchmark: "reads",
    settings: {
      ...settings,
      ...LIMITS_SHOWN,
      "pool raw": 20,
      clients: CLIENTS,
      runs: `5 of ${RUN_MILLIS} ms, alternating`,
    },
    rows,
  };
}

async function oneId(
  { pool }: Awaited<ReturnType<typeof startBenchService>>,
  table: string,
): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(`select max(id) as id from read.${table}`);
  return rows[0]?.id ?? "";
}
