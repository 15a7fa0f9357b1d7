import multipart from "@fastify/multipart";
import { fastify } from "fastify";
import { checkJson } from "../../../api/body/check-json.ts";
import type { CheckTask } from "../../../api/body/check-protocol.ts";
import { createBodyGates } from "../../../api/body/raw-body.ts";
import { bodySchemas } from "../../../api/body-checks/body-schemas.ts";
import { createBodyChecks } from "../../../api/body-checks/check-pool.ts";
import { byteRange } from "../../../api/calls/recording-route.ts";
import { readContactsCsv } from "../../../api/campaigns/read-contacts-csv.ts";
import { readImportForm } from "../../../api/campaigns/read-import-form.ts";
import { createExchange } from "../../../api/exchange.ts";
import { languageOf } from "../../../api/language.ts";
import { readFrame } from "../../../api/phone/routes.ts";
import { answeringReader } from "../../../api/suppression-lists/numbers-reader.ts";
import { readNumbersFile } from "../../../api/suppression-lists/numbers-thread.ts";
import { nextPiece } from "../../../application/voice/audio/sentences.ts";
import { readTemplate } from "../../../domain/campaign/texts/text-template.ts";
import { agreeingBeginning, beginningByTime } from "../../../domain/conversation/heard.ts";
import { asksNotToBeCalled, LISTENED_CHARACTERS } from "../../../domain/conversation/intents/opt-out.ts";
import { markedData } from "../../../domain/conversation/system-prompt.ts";
import { matcherOf, searchText } from "../../../domain/shared/search-text.ts";
import { readWrittenNumber } from "../../../domain/shared/written-number.ts";
import { bindNamed } from "../../../domain/tool/named-parameters.ts";
import { argumentsIn, filled } from "../../../domain/tool/placeholders.ts";
import { parseRetryAfter } from "../../../domain/webhook/attempt-outcome.ts";
import { ariEventSchema } from "../../../infrastructure/carriers/asterisk/ari/ari-schemas.ts";
import { parseNote } from "../../../infrastructure/carriers/asterisk/dial/note.ts";
import { parseMediaEvent } from "../../../infrastructure/carriers/asterisk/media/media-frames.ts";
import { createCallbackAddresses } from "../../../infrastructure/carriers/twilio/callback-addresses.ts";
import { callbackEntrances } from "../../../infrastructure/carriers/twilio/callback-entrances.ts";
import { createSignatures } from "../../../infrastructure/carriers/twilio/signatures.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { mannersBook } from "../../../infrastructure/connections/server-manners.ts";
import { openAiModel } from "../../../infrastructure/models/openai/openai-model.ts";
import { redaction } from "../../../infrastructure/tools/redaction.ts";
import { beginning, readableText } from "../../../infrastructure/tools/shown-text.ts";
import { parseFrame } from "../../../infrastructure/voice/relay/frames.ts";
import { createSpoken } from "../../../infrastructure/voice/relay/spoken.ts";
import { answerText } from "../../../infrastructure/webhook/delivery/attempt.ts";
import {
  SIGNATURE_HEADER,
  signCallback,
  TIMESTAMP_HEADER,
} from "../../../simulation/http/callback-signature.ts";
import { createCarrierCallbacks } from "../../../simulation/http/carrier-callbacks.ts";
import { silentLogger, silentMetrics } from "../../../simulation/memory/silent.ts";
import { again, type Hostile, inJson, TEXTS, WISHES } from "./hostile.ts";

const KIB = 1_024;
const MIB = 1_024 * KIB;

/** Where bytes of a foreign side come in, and what its code does with them before anything else. */
export type Door = {
  readonly name: string;
  /** The most that comes in at once. */
  readonly bytes: number;
  /** At this size what is more than linear shows; default: `SHOWS_AT`. More where pieces are long. */
  readonly showsAt?: number;
  readonly worst: readonly Hostile[];
  readonly enter: (text: string) => unknown;
  /** Where a worker does the work, or it is done in turns: as the service itself enters. Default: `enter`. */
  readonly inService?: (bytes: Uint8Array) => Promise<unknown>;
};

export const SHOWS_AT = 64 * KIB;

const TOKEN = "token-of-the-fake-0123456789abcd";
const URL_OF_TWILIO = "/carrier/twilio/call_1/status";

function twilioStatus(headers: Readonly<Record<string, string>>): Door["enter"] {
  const publicUrl = () => "https://calls.example.com";
  const told = { clock: systemClock, logger: silentLogger, metrics: silentMetrics };
  const [status] = callbackEntrances({
    ...told,
    sink: async () => undefined,
    livenessOf: async () => "live",
    sessionsBegun: async () => 0,
    sessionIsDue: async () => undefined,
    speakerOf: async () => null,
    signatures: createSignatures({ ...told, publicUrl, authToken: TOKEN }),
    addresses: createCallbackAddresses(publicUrl, TOKEN),
  });
  const request = { method: "POST", url: URL_OF_TWILIO, headers, params: { callId: "call_1" }, query: {} };
  return (text) => status?.answer({ ...request, rawBody: Buffer.from(text) });
}

function simulatedEvents(): Door["enter"] {
  const callbacks = createCarrierCallbacks({ clock: systemClock, sink: async () => undefined });
  return (text) => {
    const timestamp = String(systemClock.nowMillis());
    const signature = signCallback(callbacks.secret, timestamp, text);
    return callbacks.receive({ [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: signature }, text);
  };
}

/** A whole answer of a model's server, read to its end or to its failure. */
function modelAnswer(frame: (text: string) => string): Door["enter"] {
  return async (text) => {
    const body = frame(text);
    const model = openAiModel(
      {
        baseUrl: "https://model.example/v1",
        apiKey: null,
        fetch: async () => new Response(body, { headers: { "content-type": "text/event-stream" } }),
        manners: mannersBook(),
        name: "one",
      },
      "one",
    );
    const tools = [{ name: "end_call", description: "", parameters: {} }];
    const request = { messages: [], tools, model: null, temperature: null, maxTokens: 400 };
    const limits = { signal: new AbortController().signal, firstPartMillis: 60_000, stallMillis: 60_000 };
    try {
      for await (const _part of model.respond(request, limits));
    } catch {
      // A failure is an answer too.
    }
  };
}

const END = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
const framed = (delta: string) => `data: {"choices":[{"index":0,"delta":${delta}}]}\n\n`;
const PIECE = '{"index":0,"id":"a"},';
const OTHER_PIECES = Array.from({ length: 110_000 }, (_, index) => `{"index":${index},"id":"${index}"}`);

/** Pieces of calls with an index of their own each: every call begun is looked through for its piece. */
const callsOfAModel: readonly Hostile[] = [
  again("the same call", PIECE, '{"tool_calls":[', '{"index":0}]}'),
  {
    name: "a call for each piece",
    of: (bytes) => `{"tool_calls":[${OTHER_PIECES.slice(0, Math.floor(bytes / 30)).join(",")}]}`,
  },
];

function spokenOf(text: string): void {
  let rest = text;
  for (let length = nextPiece(rest, true, false); length > 0; length = nextPiece(rest, false, true))
    rest = rest.slice(length);
}

function relayCut(text: string): void {
  const spoken = createSpoken({ clock: systemClock, speed: 1, onHeard: () => undefined });
  for (let id = 0; id < 50; id += 1) spoken.add(id, "Good morning, this is a reminder.", true);
  const frame = parseFrame(text);
  if (typeof frame !== "string" && frame.type === "interrupt")
    spoken.interrupt(frame.utteranceUntilInterrupt, null);
  spoken.end();
}

const checks = createBodyChecks();
const { signal: patient } = new AbortController();

function checkedElsewhere(task: CheckTask): (bytes: Uint8Array) => Promise<unknown> {
  return (bytes) => checks.check(task, new Uint8Array(bytes), patient, "one").catch(() => null);
}

const FORM = { "content-type": "multipart/form-data; boundary=line" };
const OF_FILE = '--line\r\nContent-Disposition: form-data; name="file"\r\n\r\n';

function formWithFile(): (bytes: Uint8Array) => Promise<unknown> {
  const app = fastify({ bodyLimit: 17 * MIB });
  const gates = createBodyGates();
  app.register(multipart);
  app.post("/", async (request, reply) => {
    request.exchange = createExchange(reply.raw);
    return (await readImportForm(gates, request)).file.byteLength;
  });
  return (bytes) => app.inject({ method: "POST", url: "/", headers: FORM, payload: Buffer.from(bytes) });
}

const enterForm = formWithFile();

const CAMPAIGN = bodySchemas["createCampaign"];
const SECRETS = Array.from({ length: 10 }, (_, index) => `aaaaaaaaaa.${index}`);
const CSV_OPTIONS = {
  skipDuplicates: true,
  columns: {},
  defaultCountry: "TR",
  report: "rows",
  charset: null,
  said: new Set<string>(),
} as const;
const DATA = Object.fromEntries(SECRETS.map((secret, index) => [`k${index}`, secret]));

const NUMBERS_OPTIONS = { defaultCountry: null, charset: null };
const PART_BYTES = 64 * KIB;

function readInParts(bytes: Uint8Array): unknown {
  const reader = answeringReader(NUMBERS_OPTIONS);
  for (let from = 0; from < bytes.length; from += PART_BYTES)
    if (reader.push(bytes.subarray(from, from + PART_BYTES)) !== null) return null;
  return reader.end();
}

async function* partsOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += PART_BYTES) yield bytes.subarray(from, from + PART_BYTES);
}

export const DOORS: readonly Door[] = [
  { name: "callback of Twilio, unsigned", bytes: 64 * KIB, worst: TEXTS, enter: twilioStatus({}) },
  {
    name: "callback of Twilio, signed wrongly",
    bytes: 64 * KIB,
    worst: [...TEXTS, again("repeated fields", "a=b&"), { name: "100 fields", of: hundredFields }],
    enter: twilioStatus({ "x-twilio-signature": "s" }),
  },
  {
    name: "events of the simulated carrier",
    bytes: MIB,
    worst: inJson('{"events":', "}"),
    enter: simulatedEvents(),
  },
  {
    name: "frame of a relay",
    bytes: 64 * KIB,
    worst: [
      ...inJson('{"type":"prompt","voicePrompt":', "}"),
      ...inJson('{"type":"setup","callSid":"CA","customParameters":', "}"),
      ...inJson('{"type":"interrupt","durationUntilInterruptMs":', "}"),
      ...inJson('{"type":"interrupt","utteranceUntilInterrupt":', "}"),
    ],
    enter: relayCut,
  },
  {
    name: "frame of a phone",
    bytes: 16 * KIB,
    worst: [
      ...inJson('{"type":"said","callId":"call_1","text":', "}"),
      ...inJson('{"type":"answer","callId":', "}"),
    ],
    enter: readFrame,
  },
  {
    name: "event of Asterisk",
    bytes: MIB,
    worst: [
      ...inJson('{"type":"StasisStart","args":', "}"),
      ...inJson('{"type":"StasisStart","channel":', "}"),
    ],
    enter: (text) => ariEventSchema.safeParse(parsed(text)),
  },
  {
    name: "frame of Asterisk's audio",
    bytes: 64 * KIB,
    worst: inJson('{"event":', "}"),
    enter: parseMediaEvent,
  },
  { name: "note of a call in Asterisk", bytes: MIB, worst: noted(), enter: parseNote },
  {
    // A longer one is refused.
    name: "text of a model",
    bytes: 64 * KIB,
    worst: inJson('{"content":', "}"),
    enter: modelAnswer((text) => framed(text) + END),
  },
  {
    name: "text of a model in many frames",
    bytes: 2 * MIB,
    worst: [
      again("words", framed('{"content":"a "}')),
      again("stars", framed('{"content":"*"}')),
      ...TEXTS.map(({ name, of }) => again(name, framed(`{"content":${JSON.stringify(of(8 * KIB))}}`))),
    ],
    enter: modelAnswer((text) => text + END),
  },
  {
    name: "calls of a model",
    bytes: 2 * MIB,
    showsAt: MIB,
    worst: callsOfAModel,
    enter: modelAnswer((text) => framed(text) + END),
  },
  {
    name: "stream of a model",
    bytes: 2 * MIB,
    worst: [
      ...TEXTS,
      again("empty lines of data", "data:\n"),
      again("events", "event: a\n\n"),
      again("frames of nothing", "data:null\n"),
      again("empty parts", 'data:{"choices":[{}]}\n'),
      again("ends", "data:[DONE]\n"),
      again("an open frame", "[", "data:"),
      again("long frames", `data:${"[".repeat(500 * KIB)}\n`),
    ],
    enter: modelAnswer((text) => text),
  },
  { name: "what is spoken", bytes: 64 * KIB, worst: TEXTS, enter: spokenOf },
  {
    name: "what was heard",
    bytes: 64 * KIB,
    worst: TEXTS,
    enter: (text) => [agreeingBeginning(text, text.slice(0, 8 * KIB)), beginningByTime(text, 3_600_000)],
  },
  {
    // Of a longer turn the end is looked at. Each language, and English with it.
    name: "what is heard as an opt-out",
    bytes: LISTENED_CHARACTERS,
    worst: [...TEXTS, ...WISHES],
    enter: (text) => ["tr", "de", "fr", "es"].map((language) => asksNotToBeCalled(text, language)),
  },
  {
    name: "answer of a tool",
    bytes: MIB,
    worst: TEXTS,
    enter: (text) => beginning(redaction(SECRETS)(readableText(Buffer.from(text), "text/plain"))),
  },
  {
    name: "query of a tool",
    bytes: 32 * KIB,
    worst: [
      ...TEXTS,
      {
        name: "names",
        of: (bytes) =>
          OTHER_PIECES.slice(0, bytes / 8)
            .map((_, at) => `:a${at}`)
            .join(" "),
      },
    ],
    enter: bindNamed,
  },
  {
    name: "text with placeholders",
    bytes: 32 * KIB,
    worst: [...TEXTS, again("bars in a placeholder without an end", "\\|", "{{a")],
    enter: (text) => [readTemplate(text), argumentsIn(text), filled(text, () => "x"), markedData(text, DATA)],
  },
  {
    name: "answer of a webhook's receiver",
    bytes: 16 * KIB,
    worst: TEXTS,
    enter: (text) => [answerText(Buffer.from(text)), parseRetryAfter(text, 0)],
  },
  {
    name: "headers of a request",
    bytes: 16 * KIB,
    worst: TEXTS,
    enter: (text) => [languageOf({ headers: { "accept-language": text } }), byteRange(text, 1_000)],
  },
  {
    name: "what is searched for",
    bytes: 16 * KIB,
    worst: TEXTS,
    enter: (text) => matcherOf(searchText(text))({ name: text, number: text }),
  },
  {
    name: "cell with a number",
    bytes: 64 * KIB,
    worst: [...TEXTS, again("groups of digits", "1 "), again("slashes", "1/"), again("a number", "1", "+")],
    enter: (text) => readWrittenNumber(text, "TR"),
  },
  {
    name: "body with contacts",
    bytes: 16 * MIB,
    worst: inJson('{"name":"c","phoneNumberId":"p","assistantId":"a","contacts":', "}"),
    enter: (text) => (CAMPAIGN === undefined ? null : checkJson(Buffer.from(text), CAMPAIGN)),
    inService: checkedElsewhere({ kind: "json", schema: "createCampaignBody" }),
  },
  {
    name: "form with a file of contacts",
    bytes: 16 * MIB - KIB,
    showsAt: MIB,
    worst: [
      ...TEXTS.map(({ name, of }) => ({
        name,
        of: (bytes: number) => `${OF_FILE}${of(bytes)}\r\n--line--\r\n`,
      })),
      again("boundaries", "\r\n--line\r\n", OF_FILE),
      again("parts", `\r\n${OF_FILE}`, OF_FILE),
      again("empty heads", "\r\n--\r\n\r\n", "", `\r\n${OF_FILE}x\r\n--line--\r\n`),
      again("line starts", "\r\n--lin", OF_FILE, "\r\n--line--\r\n"),
    ],
    enter: (text) => enterForm(Buffer.from(text)),
    inService: enterForm,
  },
  {
    name: "file of contacts",
    bytes: 16 * MIB,
    worst: [
      ...TEXTS.map(({ name, of }) => ({ name, of: (bytes: number) => `phone,name\n${of(bytes)}` })),
      ...TEXTS.map(({ name, of }) => ({ name: `${name} as a header`, of })),
      again("rows", "+905321234567,Ada\n", "phone,name\n"),
      again("an open quote", "a,\n", 'phone,name\n"'),
    ],
    enter: (text) => readContactsCsv(Buffer.from(text), CSV_OPTIONS),
    inService: checkedElsewhere({ kind: "csv", ...CSV_OPTIONS }),
  },
  {
    name: "file of numbers, in parts",
    // What comes in at once is a part; what one leaves may make the next ones dearer.
    bytes: MIB,
    showsAt: MIB,
    worst: [
      ...TEXTS.map(({ name, of }) => ({ name, of: (bytes: number) => `phone,name\n${of(bytes)}` })),
      again("numbers", "+905321234567\n", "phone\n"),
      again("line ends", "\n", "phone"),
      again("an open quote", "a,\n", 'phone,name\n"'),
      again("open quotes", '"a,\n', "phone,name\n"),
      again("prefixes of home", "+5401115234567\n", "phone\n"),
    ],
    enter: (text) => readInParts(Buffer.from(text)),
    inService: (bytes) => readNumbersFile(partsOf(bytes), NUMBERS_OPTIONS).catch(() => null),
  },
];

function hundredFields(bytes: number): string {
  return Array.from({ length: 100 }, (_, index) => `f${index}=${"%41".repeat(Math.floor(bytes / 320))}`).join(
    "&",
  );
}

function noted(): readonly Hostile[] {
  return TEXTS.flatMap(({ name, of }) => [
    { name, of: (bytes) => `1700000000 ${of(bytes)}` },
    { name: `${name} after a status`, of: (bytes) => `1700000000 ANSWER 1 16 ${of(bytes)}` },
  ]);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
