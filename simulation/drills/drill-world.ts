import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { askedOutcomes } from "../../application/audit/analysis-rules.ts";
import { withOptOuts } from "../../application/audit/opt-out-rules.ts";
import { withPolicies } from "../../application/audit/policy/with-policies.ts";
import { verifyCampaign } from "../../application/audit/verify-campaign.ts";
import { openForReading } from "../../composition/open-for-reading.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import { readConfig } from "../../infrastructure/config.ts";
import { freePort } from "../../infrastructure/postgres/embedded/free-port.ts";
import { campaignAndCalls } from "../../projections/history/campaign-and-calls.ts";
import { silentLogger } from "../memory/silent.ts";
import { type DrillClient, drillClient } from "./drill-client.ts";
import { makeDrillFolder } from "./drill-folder.ts";
import type { PreparedData } from "./prepared-data.ts";
import { startProgram } from "./program.ts";
import { type JournalEntry, journalEntry, type ReceivedRequest, receivedRequest } from "./shapes.ts";
import { type SupervisedService, superviseService } from "./supervised-service.ts";

const CARRIER = join(import.meta.dirname, "../../programs/carrier.ts");
const RECEIVER = join(import.meta.dirname, "receiver-program.ts");

/** Ring and talk times of tens of milliseconds, and very short retry minutes. */
const FAST = 100;
const RETRY_MINUTE = { SIMULATOR_MINUTE_MS: "100" };

/**
 * Four processes: the service with its database, the carrier and the receiver; the last two record
 * everything that they receive.
 */
export type DrillWorld = {
  readonly service: SupervisedService;
  readonly client: DrillClient;
  readonly receiverUrl: string;
  readonly dataDir: string;
  readonly journal: () => Promise<JournalEntry[]>;
  readonly received: () => Promise<ReceivedRequest[]>;
  /** The broken rules in the recorded history of a campaign. */
  readonly audit: (campaignId: string) => Promise<readonly string[]>;
  /** The service's log so far. */
  readonly log: () => Promise<string>;
  /** Ends every process and removes the folder, whatever happened. */
  readonly close: () => Promise<void>;
};

export type DrillWorldOptions = {
  readonly prepared: PreparedData;
  readonly crashAt: readonly string[];
  readonly simulatorSeed: number;
  /** Divisor of the simulator's times. */
  readonly speed?: number;
  /** Environment of the service, over its defaults. */
  readonly env?: Readonly<Record<string, string>>;
  /** Environment of all programs. */
  readonly everywhere?: Readonly<Record<string, string>>;
  /**
   * Calls go through the fake Twilio with these faults (in the form of --faults) instead of
   * the simulated carrier.
   */
  readonly twilioFaults?: string;
  /** Where the service's DATA_DIR is made, if not in the drill's own folder. */
  readonly disk?: string;
};

export async function openDrillWorld(options: DrillWorldOptions): Promise<DrillWorld> {
  const folder = makeDrillFolder();
  const at = (name: string) => join(folder.path, name);
  const dataDir = join(options.disk ?? folder.path, "data");
  const simulated = {
    ...options.everywhere,
    ...RETRY_MINUTE,
    SIMULATOR_SEED: String(options.simulatorSeed),
    SIMULATOR_SPEED: String(options.speed ?? FAST),
  };
  const twilio = options.twilioFaults === undefined ? null : await drillTwilio(options.twilioFaults);
  const receiver = startProgram(
    RECEIVER,
    { ...options.everywhere, RECORD_FILE: at("received.jsonl") },
    at("receiver.log"),
  );
  const carrier = startProgram(
    CARRIER,
    { ...simulated, ...twilio?.account, SIMULATOR_PORT: "0", SIMULATOR_DATA_DIR: at("carrier") },
    at("carrier.log"),
    twilio?.args,
  );
  let service: SupervisedService | null = null;
  const close = async () => {
    await Promise.all([service?.stop(), carrier.stop(), receiver.stop()]);
    await folder.remove();
  };
  try {
    const { prepared } = options;
    const [carrierUrl, receiverUrl] = await Promise.all([
      carrier.listening,
      receiver.listening,
      prepared.copyTo(dataDir),
    ]);
    const env = {
      ...simulated,
      ...serviceEnvironment(dataDir, prepared.apiKey),
      ...(twilio?.serviceEnv(carrierUrl) ?? { SIMULATOR_URL: carrierUrl }),
      ...options.env,
    };
    service = superviseService({
      env,
      crashAt: options.crashAt,
      logFile: at("service.log"),
    });
    return {
      service,
      client: drillClient(service.url, prepared.apiKey),
      receiverUrl: `${receiverUrl}/webhooks`,
      dataDir,
      journal: async () => {
        const answer = await fetch(`${carrierUrl}/journal`);
        return lines(await answer.text()).map((line) => journalEntry.parse(line));
      },
      received: async () =>
        lines(await readFile(at("received.jsonl"), "utf8")).map((line) => receivedRequest.parse(line)),
      audit: (campaignId) => auditLog(env, campaignId),
      log: () => readFile(at("service.log"), "utf8"),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function serviceEnvironment(dataDir: string, apiKey: string): Readonly<Record<string, string>> {
  return {
    PORT: "0",
    DATA_DIR: dataDir,
    DASHBOARD: "off",
    BOOTSTRAP_API_KEY: apiKey,
    WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
    TOOL_ALLOW_CIDRS: "127.0.0.0/8",
    CONNECTION_ALLOW_CIDRS: "127.0.0.0/8",
    PLAN_MAX_CONCURRENT_CALLS: "20",
    PLAN_MAX_CALLS_PER_SECOND: "1000",
    LOG_LEVEL: "info",
  };
}

function lines(text: string): unknown[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/**
 * The findings of `npm run replay -- <campaignId> --verify` in the log of the service with this environment.
 */
async function auditLog(
  env: Readonly<Record<string, string>>,
  campaignId: string,
): Promise<readonly string[]> {
  const config = readConfig(env);
  const log = await openForReading(config, silentLogger, "log");
  try {
    const events = await campaignAndCalls(log, `cmp_${campaignId.slice("cmp_".length)}`);
    if (events.length === 0) return [`the log has no campaign ${campaignId}`];
    const owner: OwnerId = `usr_${(events[0]?.metadata.owner ?? "").slice("usr_".length)}`;
    const optOuts = await withOptOuts(log, owner, events);
    const policies = await withPolicies(log, owner, events);
    const outcomes = await askedOutcomes(log.analysisSettings, events);
    const broken = verifyCampaign(events, {
      now: null,
      withOptOuts: optOuts,
      withPolicies: policies,
      outcomes,
    });
    return broken.map(({ rule, problem }) => `${rule}: ${problem}`);
  } finally {
    await log.close();
  }
}

/** More than a drill dials: calls that wait in the fake's queue would be hung up before they ring. */
const CALLS_PER_SECOND = "200";

/**
 * The fake Twilio of one drill and its service, whose address stays the same over all restarts,
 * because callbacks need it.
 */
async function drillTwilio(faults: string) {
  const account = {
    TWILIO_ACCOUNT_SID: `AC${randomBytes(16).toString("hex")}`,
    TWILIO_AUTH_TOKEN: randomBytes(16).toString("hex"),
  };
  const port = await freePort();
  return {
    account,
    args: ["--as", "twilio", "--calls-per-second", CALLS_PER_SECOND, "--faults", faults],
    serviceEnv: (twilioUrl: string): Readonly<Record<string, string>> => ({
      ...account,
      CARRIER: "twilio",
      TWILIO_API_URL: twilioUrl,
      TWILIO_CALLS_PER_SECOND: CALLS_PER_SECOND,
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
    }),
  };
}
