import { createHash } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { type DrillClient, drillClient } from "../../simulation/drills/drill-client.ts";
import { type DrillFolder, makeDrillFolder } from "../../simulation/drills/drill-folder.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { type Program, SERVICE, startProgram } from "../../simulation/drills/program.ts";
import {
  anything,
  call,
  campaignAnswer,
  contact,
  outboundStart,
  withId,
} from "../../simulation/drills/shapes.ts";
import { type ReplyProxy, startReplyProxy } from "../support/carriers/reply-proxy.ts";
import {
  type FakeSpeechServer,
  fakeSpeechServer,
  OK,
  transcript,
} from "../support/speech/fake-speech-server.ts";
import { type AsteriskServer, startAsterisk } from "../support/telephony/asterisk-server.ts";
import { type SippTrunk, startSipp } from "../support/telephony/sipp-trunk.ts";

type Outage = "frozen" | "killed" | "cut";

const KEY = createHash("sha256").update("the key of three outages").digest("hex");
const LONG = 240_000;
const OUTAGES: readonly Outage[] = ["frozen", "killed", "cut"];
/** Longer than the silence of events after which nobody is dialled any more (6 s). */
const OUTAGE_MILLIS = 8_000;
/** Dials that were sent before a cut have rung by then. */
const ON_ITS_WAY_MILLIS = 1_000;
const RING_SECONDS = 10;
const AT_ONCE = 4;
/** End reasons of a talk during an outage: its real one, or a broken line. */
const BROKEN = ["customer_ended", "connection_lost", "assistant_error"];
const ofTalk = z.object({ ok: z.boolean() });

/** Digits 5 to 7 are the trunk's answer, the eighth is the outage. */
const numbersOf = (outage: Outage, code: number, count: number, from = 0): string[] =>
  Array.from(
    { length: count },
    (_, at) => `+1500${code}${OUTAGES.indexOf(outage) + 1}${String(from + at).padStart(3, "0")}`,
  );
const codeOf = (number: string) => Number(number.slice(5, 8));
const sleep = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis));

let folder: DrillFolder;
let trunk: SippTrunk;
let asterisks: Readonly<Record<Outage, AsteriskServer>>;
let proxy: ReplyProxy;
let speech: FakeSpeechServer;
let service: Program;
let client: DrillClient;
let assistantId: string;

beforeAll(async () => {
  folder = makeDrillFolder();
  speech = await fakeSpeechServer(({ path }) =>
    path.endsWith("/speech") ? OK : transcript({ text: "yes" }),
  );
  trunk = await startSipp();
  service = startProgram(
    SERVICE,
    {
      PORT: "0",
      DATA_DIR: join(folder.path, "data"),
      BOOTSTRAP_API_KEY: KEY,
      DASHBOARD: "off",
      CONNECTION_ALLOW_CIDRS: "127.0.0.0/8",
      PLAN_MAX_CONCURRENT_CALLS: "100",
      SIMULATOR_MINUTE_MS: "100",
      SPEECH_BASE_URL: speech.url,
      SPEECH_TTS_MODEL: "tts-1",
    },
    join(folder.path, "service.log"),
  );
  const trunks = [{ context: "ringfold-dial", name: "trunk", port: trunk.port }];
  const [frozen, killed, cut] = await Promise.all([
    startAsterisk(trunks),
    startAsterisk(trunks),
    startAsterisk(trunks),
  ]);
  asterisks = { frozen, killed, cut };
  proxy = await startReplyProxy(cut.httpPort);
  client = drillClient(() => service.listening, KEY);
  const assistant = {
    name: "Ada",
    greetingMessage: "Hello, this is Ada.",
    systemPrompt: "Be brief.",
    silenceTimeoutSeconds: 60,
  };
  ({ id: assistantId } = await client.post(withId, "/api/v1/assistants", assistant));
  await client.post(anything, `/api/v1/assistants/${assistantId}/publish`);
}, LONG);
afterAll(async () => {
  const counts = [...trunk.journal().values()];
  // A talk broken by an outage is retried as another call: one INVITE for each of the two.
  expect(Math.max(...counts)).toBeLessThanOrEqual(2);
  process.stdout.write(
    `INVITEs at the trunk: ${counts.length} numbers, at most ${Math.max(...counts)} for one\n`,
  );
  await service?.stop();
  await proxy?.close();
  await Promise.all([...Object.values(asterisks), trunk, speech].map((each) => each.close()));
  await folder.remove();
}, LONG);

/** A number that calls through an Asterisk of its own. */
async function numberThrough(outage: Outage): Promise<string> {
  const { url, user, password } = asterisks[outage];
  const way = outage === "cut" ? `http://127.0.0.1:${proxy.port}` : url;
  const { id: connectionId } = await client.post(withId, "/api/v1/connections", {
    kind: "asterisk",
    name: outage,
    settings: { url: way, user },
    secrets: { password },
  });
  const check = `/api/v1/connections/${connectionId}/check`;
  await eventually(`the way to the ${outage} one`, async () => (await client.post(ofTalk, check)).ok);
  const number = { phoneNumber: `+150055502${OUTAGES.indexOf(outage)}0`, label: outage, connectionId };
  return (await client.post(withId, "/api/v1/phone-numbers", number)).id;
}

const rung = (outage: Outage): string[] =>
  [...trunk.journal().keys()].filter((number) => number[8] === String(OUTAGES.indexOf(outage) + 1));

type Drill = { readonly talkId: string; readonly campaignId: string; readonly numbers: readonly string[] };

/** Somebody talks, and a campaign has begun to dial. */
async function begin(outage: Outage, numbers: readonly string[]): Promise<Drill> {
  const phoneNumberId = await numberThrough(outage);
  const [to = ""] = numbersOf(outage, 200, 1, 500);
  const talk = { phoneNumberId, assistantId, to };
  const { callId: talkId } = await client.post(outboundStart, "/api/v1/calls/outbound", talk, to);
  await eventually("the talk", async () => {
    const { status } = await client.get(call, `/api/v1/calls/${talkId}`);
    return status === "in_progress";
  });
  const { campaign } = await client.post(campaignAnswer, "/api/v1/campaigns", {
    name: outage,
    phoneNumberId,
    assistantId,
    maxRetries: 1,
    retryIntervalMins: 1,
    maxConcurrentCalls: AT_ONCE,
    ringTimeoutSeconds: RING_SECONDS,
    contacts: numbers.map((phoneNumber) => ({ phoneNumber })),
  });
  await client.post(anything, `/api/v1/campaigns/${campaign.id}/start`);
  return { talkId, campaignId: campaign.id, numbers };
}

/** Every contact is finished; returns their end reasons by attempt, without dials that rang nobody. */
async function over({ campaignId, talkId, numbers }: Drill): Promise<ReadonlyMap<string, readonly string[]>> {
  await eventually(
    "the campaign to be over",
    async () => {
      const { campaign } = await client.get(campaignAnswer, `/api/v1/campaigns/${campaignId}`);
      return campaign.status === "COMPLETED";
    },
    120_000,
  );
  await client.remove(anything, `/api/v1/calls/outbound/${talkId}`);
  const rows = await client.all(contact, `/api/v1/campaigns/${campaignId}/contacts`);
  expect(rows.map(({ phoneNumber }) => phoneNumber).toSorted()).toEqual(numbers.toSorted());
  const reasons = new Map<string, readonly string[]>();
  for (const { phoneNumber, attempts } of rows) {
    const told = attempts.map(({ endReason }) => endReason ?? "none").filter((each) => each !== "not_placed");
    reasons.set(phoneNumber, told);
    // The trunk's own count decides: at most one INVITE for a call, none for those that were not placed.
    expect([phoneNumber, trunk.journal().get(phoneNumber) ?? 0]).toEqual([phoneNumber, told.length]);
  }
  return reasons;
}

async function endOfTalk({ talkId }: Drill): Promise<string> {
  const ended = await eventually("the end of the talk", async () => {
    const read = await client.get(call, `/api/v1/calls/${talkId}`);
    return read.endedAt === null ? null : read;
  });
  expect(trunk.journal().get(ended.to)).toBe(1);
  return ended.endReason ?? "none";
}

function expectTruth(reasons: ReadonlyMap<string, readonly string[]>): void {
  for (const [number, told] of reasons) {
    if (codeOf(number) === 404) expect([number, told]).toEqual([number, ["invalid_number"]]);
    else
      for (const reason of told) expect([number, BROKEN]).toEqual([number, expect.arrayContaining([reason])]);
  }
}

/** Half of them talk for a second, half do not exist. */
const mixedNumbers = (outage: Outage): string[] =>
  Array.from({ length: 8 }, (_, at) => [
    ...numbersOf(outage, 201, 1, at),
    ...numbersOf(outage, 404, 1, at),
  ]).flat();

it.concurrent("Asterisk that stands still while a campaign dials rings nobody twice after it woke", {
  timeout: LONG,
}, async () => {
  const drill = await begin("frozen", mixedNumbers("frozen"));
  await eventually("dials", () => rung("frozen").length > 4);
  asterisks.frozen.freeze();
  await sleep(OUTAGE_MILLIS);
  expect(rung("frozen").length).toBeLessThan(drill.numbers.length);
  asterisks.frozen.thaw();
  expectTruth(await over(drill));
  expect([...BROKEN, "api_ended"]).toContain(await endOfTalk(drill));
});

it.concurrent("a way to Asterisk that is cut while a campaign dials lets nobody be rung until it is mended", {
  timeout: LONG,
}, async () => {
  const drill = await begin("cut", mixedNumbers("cut"));
  await eventually("dials", () => rung("cut").length > 4);
  proxy.cut();
  await sleep(ON_ITS_WAY_MILLIS);
  const before = rung("cut").length;
  await sleep(OUTAGE_MILLIS);
  expect(rung("cut").length).toBe(before);
  expect(before).toBeLessThan(drill.numbers.length);
  proxy.mend();
  expectTruth(await over(drill));
  expect([...BROKEN, "api_ended"]).toContain(await endOfTalk(drill));
});

it.concurrent("Asterisk that is killed loses who talked; who was ringing is outcome_unknown and never dialled again; the campaign goes on", {
  timeout: LONG,
}, async () => {
  const ringing = numbersOf("killed", 180, AT_ONCE);
  const later = numbersOf("killed", 404, 4, 100);
  const drill = await begin("killed", [...numbersOf("killed", 404, 4), ...ringing, ...later]);
  await eventually("four telephones to ring", async () => {
    const calls = await client.all(call, "/api/v1/calls");
    return calls.filter(({ status, to }) => status === "ringing" && ringing.includes(to)).length === AT_ONCE;
  });
  await asterisks.killed.kill();
  await sleep(1_000);
  await asterisks.killed.startAgain();
  const reasons = await over(drill);
  for (const number of drill.numbers)
    expect([number, reasons.get(number)]).toEqual([
      number,
      [ringing.includes(number) ? "outcome_unknown" : "invalid_number"],
    ]);
  // The latter if Asterisk needed longer to come back than a call may be without its conversation (15 s).
  expect(["connection_lost", "assistant_error"]).toContain(await endOfTalk(drill));
});
