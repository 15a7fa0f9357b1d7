import process from "node:process";
import { createClient } from "../../client/client.ts";
import { REAL_MODEL } from "../../domain/conversation/script.ts";
import { readCommandLine } from "../command-line.ts";
import { requireNode24 } from "../node-version.js";
import { openingProblem } from "../opening-problem.ts";
import { runProgram, untilStopped } from "../process-exit.ts";
import { wrapped } from "../terminal.ts";
import { answered } from "./api.ts";
import { DEMO, demoArguments } from "./arguments.ts";
import { type Clinic, runClinic } from "./clinic.ts";
import { readContactList } from "./contact-list.ts";
import { type Invoices, startInvoices } from "./invoices.ts";
import { type Receiver, startReceiver } from "./receiver.ts";
import { report } from "./report.ts";
import { demoService, type RunningService } from "./service.ts";
import { setUp } from "./set-up.ts";
import { watchCampaign } from "./watch.ts";

const say = (line: string) => process.stdout.write(`${wrapped(line)}\n`);

/**
 * `npm run demo`: the main job on a sample, entirely through the public API and the webhooks. Exit code 0
 * only if every number agrees. However it ends, service, database and folder of this run end with it.
 */
async function main(stop: AbortSignal): Promise<number> {
  const started = performance.now();
  const given = await readCommandLine(DEMO);
  if (given === null) return 0;
  const { csv, contacts, carrier, keep } = demoArguments(given);
  const list = await readContactList(csv, contacts);
  stop.addEventListener("abort", () => process.stderr.write("\nStopping the service and its database …\n"));
  const service = demoService(stop, carrier);
  const receiver = await startReceiver();
  const invoices = await startInvoices();
  let allAgree = false;
  try {
    say(`Starting the service with ${CARRIERS[carrier]} and a database of its own:`);
    if (service.streams !== null) say(streamsNote(service.streams));
    const running = await service.start((step) => say(`  ${step} …`));
    const made = await runCampaigns(running, { receiver, invoices }, list, stop);
    allAgree = made.allAgree;
    const peak = await peakMemory(running.url);
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    say(`\n${seconds} s in all; the service used at most ${peak} MB.`);
    say(allAgree ? "Every number agrees." : "Some numbers do not agree: see the lines marked NOT.");
    say(SCRIPTED);
    if (keep) await serve(running, made, stop);
    else say("Look at it in the dashboard: npm run demo -- --keep makes the same calls, and stays open.");
  } finally {
    await Promise.all([receiver.stop(), invoices.stop()]);
    const kept = await service.stop(allAgree || stop.aborted ? "remove all" : "keep the log");
    if (kept !== null) process.stderr.write(`The log of the service is ${kept}\n`);
  }
  return allAgree ? 0 : 1;
}

/** Until it is told to stop, which is its normal end. */
async function serve({ url, apiKey }: RunningService, made: Made, stop: AbortSignal): Promise<void> {
  const { reminders, apiKey: keyOfClinic } = made.clinic;
  say(`\nLook at it: ${url}/campaigns/${made.campaignId}`);
  say(`Sign in with the key ${apiKey}`);
  say(`What the clinic's calls brought home: ${url}/campaigns/${reminders.campaign.id}`);
  say(`Sign in there with the key ${keyOfClinic}`);
  say("Ctrl-C ends it and removes this data.");
  await untilStopped(stop);
}

type Made = { readonly allAgree: boolean; readonly campaignId: string; readonly clinic: Clinic };

async function runCampaigns(
  service: RunningService,
  { receiver, invoices }: { readonly receiver: Receiver; readonly invoices: Invoices },
  list: Awaited<ReturnType<typeof readContactList>>,
  stop: AbortSignal,
): Promise<Made> {
  // The service belongs to the demo: every failure must be visible, and nothing is
  // awaited once it is stopped.
  const client = createClient({ baseUrl: service.url, apiKey: service.apiKey, retries: 0 });
  say(`The service listens on ${service.url}; importing ${list.rows} rows of ${list.name} …`);
  const created = await setUp(client, receiver, list, invoices.url);
  stop.throwIfAborted();
  const { id } = created.campaign;
  say(
    `Campaign ${id}: ${created.statistics.totalContacts} contacts accepted, ${created.rejectedContacts.count} rows refused. Calling.\n`,
  );
  await answered(client.campaigns.startCampaign(id));
  const [ended, clinic] = await Promise.all([
    watchCampaign(client, receiver, created, stop),
    runClinic(client, service, stop),
  ]);
  const { lines, allAgree } = await report(client, { receiver, invoices }, list, created, ended, clinic);
  stop.throwIfAborted();
  for (const line of lines) say(line);
  return { allAgree, campaignId: id, clinic };
}

/** Highest resident memory of the service so far, from its public metrics. */
async function peakMemory(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const bytes =
    /^ringfold_peak_memory_bytes (\S+)/m.exec(text)?.[1] ??
    /^process_resident_memory_bytes (\S+)/m.exec(text)?.[1];
  return Math.round(Number(bytes ?? 0) / 2 ** 20);
}

function streamsNote(prefix: string): string {
  return `Its events are in EventStoreDB, in streams of its own that begin with ${prefix} and stay there.`;
}

const SCRIPTED = `The assistants were spoken for by the scripted model, which follows simple rules. A real one: ${REAL_MODEL}`;
const CARRIERS = { simulated: "the simulated carrier", twilio: "a Twilio that dials nobody" };

requireNode24();
runProgram(main, { tell: (error) => [openingProblem(error)] });
