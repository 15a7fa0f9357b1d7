import { createHash } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "../../infrastructure/clock.ts";
import { freePort } from "../../infrastructure/postgres/embedded/free-port.ts";
import { type DrillClient, drillClient } from "../../simulation/drills/drill-client.ts";
import { type DrillFolder, makeDrillFolder } from "../../simulation/drills/drill-folder.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { clockAhead } from "../../simulation/drills/moved-clock.ts";
import { type Program, SERVICE, startProgram } from "../../simulation/drills/program.ts";
import {
  anything,
  call,
  campaignAnswer,
  contact,
  journalEntry,
  outboundStart,
  withId,
} from "../../simulation/drills/shapes.ts";
import { startCarrierServer } from "../../simulation/http/carrier-server.ts";
import { type FakeTwilio, startFakeTwilio } from "../../simulation/twilio/fake-twilio.ts";
import {
  type FakeSpeechServer,
  fakeSpeechServer,
  OK,
  transcript,
} from "../support/speech/fake-speech-server.ts";
import { type AsteriskServer, startAsterisk } from "../support/telephony/asterisk-server.ts";
import { type SippTrunk, startSipp } from "../support/telephony/sipp-trunk.ts";

type Kind = "asterisk" | "twilio" | "simulated";
type Stopping = { readonly url: string; readonly stop: () => Promise<void> };

const KEY = createHash("sha256").update("the key of three carriers").digest("hex");
const LONG = 300_000;
/** Then a call is over of which nobody can know what became. */
const ELEVEN_MINUTES = 11 * 60_000;
/** By `maxRetries` a dial that was not placed would be made again within so long. */
const REDIALLED_WITHIN_MILLIS = 3_000;
const KINDS: readonly Kind[] = ["asterisk", "twilio", "simulated"];
const ACCOUNTS = ["1", "2"].map((digit) => ({
  accountSid: `AC${digit.repeat(32)}`,
  authToken: `token-of-account-${digit}-0123456789abcdef`,
}));
const FROM = { asterisk: "+15005550190", twilio: "+15005550191", simulated: "+15005550192" };
/** Talks and hangs up; rings until it is given up. */
const TALKS = { asterisk: "+15002010001", twilio: "+15005550006", simulated: "+15005550006" };
const RINGS = { asterisk: "+15001800001", twilio: "+15005550010", simulated: "+15005550010" };

let folder: DrillFolder;
let trunk: SippTrunk;
let asterisks: AsteriskServer[];
let twilios: FakeTwilio[];
let simulated: Stopping;
let speech: FakeSpeechServer;
let service: Program;
let client: DrillClient;
let port: number;

beforeAll(async () => {
  folder = makeDrillFolder();
  port = await freePort();
  const program = { clock: systemClock, host: "127.0.0.1", port: 0, seed: 1, speed: 20 };
  trunk = await startSipp();
  const trunks = [{ context: "ringfold-dial", name: "trunk", port: trunk.port }];
  [asterisks, twilios, simulated, speech] = await Promise.all([
    Promise.all([startAsterisk(trunks), startAsterisk(trunks)]),
    Promise.all(
      ACCOUNTS.map((account) =>
        startFakeTwilio({
          ...program,
          account,
          dataDir: join(folder.path, account.accountSid),
          callsPerSecond: 100,
          ownedNumbers: null,
          faults: {},
        }),
      ),
    ),
    startCarrierServer({ ...program, dataDir: join(folder.path, "simulated"), token: null }),
    fakeSpeechServer(({ path }) => (path.endsWith("/speech") ? OK : transcript({ text: "yes" }))),
  ]);
  client = drillClient(() => service.listening, KEY);
}, LONG);
afterAll(async () => {
  await service?.stop();
  await Promise.all([...asterisks, trunk, speech].map((each) => each.close()));
  await Promise.all([...twilios, simulated].map((each) => each.stop()));
  await folder.remove();
}, LONG);

/** `moved`: the kinds whose other far side is configured by now. */
const start = async (moved: readonly Kind[], more: Readonly<Record<string, string>> = {}) => {
  const of = (kind: Kind) => (moved.includes(kind) ? 1 : 0);
  const [asterisk, twilio] = [asterisks[of("asterisk")], twilios[of("twilio")]];
  const account = ACCOUNTS[of("twilio")];
  service = startProgram(
    SERVICE,
    {
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      DATA_DIR: join(folder.path, "data"),
      BOOTSTRAP_API_KEY: KEY,
      DASHBOARD: "off",
      ...(moved.includes("simulated") ? { CARRIER: "twilio" } : { SIMULATOR_URL: simulated.url }),
      SIMULATOR_MINUTE_MS: "100",
      ASTERISK_URL: asterisk?.url ?? "",
      ASTERISK_USER: asterisk?.user ?? "",
      ASTERISK_PASSWORD: asterisk?.password ?? "",
      TWILIO_API_URL: twilio?.url ?? "",
      TWILIO_ACCOUNT_SID: account?.accountSid ?? "",
      TWILIO_AUTH_TOKEN: account?.authToken ?? "",
      TWILIO_CALLS_PER_SECOND: "100",
      SPEECH_BASE_URL: speech.url,
      SPEECH_TTS_MODEL: "tts-1",
      ...more,
    },
    join(folder.path, "service.log"),
  );
  await service.listening;
};
const rings = async (kind: Kind, number: string): Promise<number> => {
  if (kind === "asterisk") return trunk.journal().get(number) ?? 0;
  const journals = kind === "twilio" ? twilios : [simulated];
  const texts = await Promise.all(journals.map(async ({ url }) => (await fetch(`${url}/journal`)).text()));
  const lines = texts.flatMap((text) => text.split("\n").filter((line) => line.includes('"to"')));
  return lines.filter((line) => journalEntry.parse(JSON.parse(line)).to === number).length;
};

it("three carriers serve their numbers side by side; a call that was out when its far side was replaced is outcome_unknown and never dialled again", {
  timeout: LONG,
}, async () => {
  await start([]);
  const assistant = { name: "Ada", greetingMessage: "Hello, this is Ada.", systemPrompt: "Be brief." };
  const { id: assistantId } = await client.post(withId, "/api/v1/assistants", assistant);
  await client.post(anything, `/api/v1/assistants/${assistantId}/publish`);
  const numbers = new Map<Kind, string>();
  for (const kind of KINDS) {
    const connection = kind === "simulated" ? {} : { connectionId: `conn_default_${kind}` };
    const number = { phoneNumber: FROM[kind], label: kind, ...connection };
    numbers.set(kind, (await client.post(withId, "/api/v1/phone-numbers", number)).id);
  }
  const check = async () => {
    const answer = await client.post(anything, "/api/v1/connections/conn_default_asterisk/check");
    return (answer as { readonly ok: boolean }).ok;
  };
  await eventually("the way to Asterisk", check);

  const calls = await Promise.all(
    KINDS.map((kind) => {
      const wanted = { phoneNumberId: numbers.get(kind), assistantId, to: TALKS[kind] };
      return client.post(outboundStart, "/api/v1/calls/outbound", wanted, `talks-${kind}`);
    }),
  );
  for (const [at, kind] of KINDS.entries()) {
    const path = `/api/v1/calls/${calls[at]?.callId}`;
    const ended = await eventually(`the end of ${kind}`, async () => {
      const read = await client.get(call, path);
      return read.endedAt === null ? null : read;
    });
    expect(["customer_ended", "assistant_ended"], kind).toContain(ended.endReason);
    expect(ended.connectedAt, kind).not.toBeNull();
    expect([kind, await rings(kind, TALKS[kind])]).toEqual([kind, 1]);
  }

  const campaigns = new Map<Kind, string>();
  for (const kind of KINDS) {
    const { campaign } = await client.post(campaignAnswer, "/api/v1/campaigns", {
      name: kind,
      phoneNumberId: numbers.get(kind),
      assistantId,
      maxRetries: 3,
      retryIntervalMins: 1,
      contacts: [{ phoneNumber: RINGS[kind] }],
    });
    campaigns.set(kind, campaign.id);
    await client.post(anything, `/api/v1/campaigns/${campaign.id}/start`);
  }
  await eventually("three telephones to ring", async () => {
    const out = await client.all(call, "/api/v1/calls");
    return out.filter(({ status }) => status === "ringing").length === KINDS.length;
  });
  service.signal("SIGKILL");
  await service.exited;
  await start(KINDS, clockAhead(folder.path, ELEVEN_MINUTES));

  for (const kind of KINDS) {
    const [row] = await eventually(`${kind} to be over`, async () => {
      const rows = await client.all(contact, `/api/v1/campaigns/${campaigns.get(kind)}/contacts`);
      return rows.every(({ status }) => status === "failed") ? rows : null;
    });
    const reasons = row?.attempts.map(({ endReason }) => endReason);
    expect([kind, reasons]).toEqual([kind, ["outcome_unknown"]]);
  }
  await new Promise((resolve) => setTimeout(resolve, REDIALLED_WITHIN_MILLIS));
  for (const kind of KINDS) expect([kind, await rings(kind, RINGS[kind])]).toEqual([kind, 1]);
});
