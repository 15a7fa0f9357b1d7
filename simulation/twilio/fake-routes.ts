import { timingSafeEqual } from "node:crypto";
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Clock } from "../../application/ports/clock.ts";
import { journalEntries } from "../carrier/carrier-records.ts";
import type { FakeAccount, TwilioError } from "./fake-account.ts";
import { callJson, type FakeCall, rfc2822 } from "./fake-call.ts";
import { type Faults, faultShares } from "./faults.ts";

export type FakeRoutesDeps = {
  readonly clock: Clock;
  readonly account: { readonly accountSid: string; readonly authToken: string };
  readonly calls: FakeAccount;
  readonly ownedNumbers: readonly string[] | null;
  readonly journalPath: string;
  readonly faults: Faults;
  readonly random: () => number;
};

const SLOW_REPLY_MILLIS = 2_000;
const ROOT = "/2010-04-01/Accounts/:account";
const NOT_FOUND: TwilioError = { status: 404, code: 20_404, message: "The requested resource was not found" };
const UNAUTHORIZED: TwilioError = { status: 401, code: 20_003, message: "Authenticate" };
const TOO_MANY: TwilioError = { status: 429, code: 20_429, message: "Too Many Requests" };
/** Not what an adapter assumes that is told nothing. */
const TOO_MANY_SECONDS = "3";
const UNAVAILABLE: TwilioError = { status: 503, code: 20_503, message: "Service unavailable" };

/** The part of Twilio's REST API that this service uses, and the fake's own figures. */
export function addFakeRoutes(server: FastifyInstance, deps: FakeRoutesDeps): void {
  server.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
  server.register(async (scoped) => addTwilioRoutes(scoped, deps));
  addOwnRoutes(server, deps);
}

function addTwilioRoutes(server: FastifyInstance, deps: FakeRoutesDeps): void {
  const { account, calls } = deps;
  const isOurs = isSignedIn(account);
  server.addHook<{ Params: { account: string } }>("preHandler", async (request, reply) => {
    if (!isOurs(request.headers.authorization)) return refuse(reply, UNAUTHORIZED);
    return request.params.account.replace(/\.json$/, "") === account.accountSid
      ? undefined
      : refuse(reply, NOT_FOUND);
  });
  server.get(ROOT, async () => ({
    sid: account.accountSid,
    status: "active",
    friendly_name: "Fake",
    type: "Full",
  }));
  server.post(`${ROOT}/Calls.json`, async ({ body }, reply) => create(deps, body as URLSearchParams, reply));
  server.get<{ Querystring: Record<string, string> }>(`${ROOT}/Calls.json`, async ({ query }) => {
    const found = calls.calls().filter((call) => isAskedFor(call, query));
    return {
      calls: found.toReversed().map((call) => callJson(call, account.accountSid)),
      next_page_uri: null,
    };
  });
  const onCall = (name: string, answer: (call: FakeCall, reply: FastifyReply, body: unknown) => unknown) => ({
    url: `${ROOT}/Calls/${name}`,
    handler: async (request: { params: unknown; body: unknown }, reply: FastifyReply) => {
      const call = calls.call((request.params as { sid: string }).sid.replace(/\.json$/, ""));
      return call === undefined ? refuse(reply, NOT_FOUND) : answer(call, reply, request.body);
    },
  });
  server.route({ method: "GET", ...onCall(":sid", (call) => callJson(call, account.accountSid)) });
  server.route({
    method: "POST",
    ...onCall(":sid", (call, reply, body) => update(deps, call, body as URLSearchParams, reply)),
  });
  server.route({ method: "GET", ...onCall(":sid/Events.json", eventsOf) });
  server.route({ method: "GET", ...onCall(":sid/Recordings.json", recordingsOf) });
  server.get(`${ROOT}/IncomingPhoneNumbers.json`, async () => ({
    incoming_phone_numbers: (deps.ownedNumbers ?? ["+15005550006"]).map((number) => ({
      phone_number: number,
    })),
    next_page_uri: null,
  }));
  server.get<{ Params: { file: string } }>(`${ROOT}/Recordings/:file`, async ({ params }, reply) => {
    const recording = recordingIn(calls, params.file);
    return recording === undefined || recording.bytes === null
      ? refuse(reply, NOT_FOUND)
      : reply.type("audio/x-wav").send(Buffer.from(recording.bytes));
  });
  server.delete<{ Params: { file: string } }>(`${ROOT}/Recordings/:file`, async ({ params }, reply) => {
    const owner = calls.calls().find(({ recording }) => recording?.sid === baseName(params.file));
    if (owner === undefined) return refuse(reply, NOT_FOUND);
    owner.recording = null;
    return reply.code(204).send();
  });
}

/** 5xx and lost replies do not say whether the call was made. */
async function create(
  deps: FakeRoutesDeps,
  form: URLSearchParams,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { faults, account, clock } = deps;
  if (faults.strikes("tooMany")) return refuse(reply.header("retry-after", TOO_MANY_SECONDS), TOO_MANY);
  const isUnavailable = faults.strikes("unavailable");
  if (isUnavailable && deps.random() < 0.5) return refuse(reply, UNAVAILABLE);
  const created = deps.calls.create(form);
  if (created.kind === "refused") return refuse(reply, created.error);
  await created.written;
  if (isUnavailable) return refuse(reply, UNAVAILABLE);
  if (faults.strikes("lostReply")) {
    reply.hijack();
    reply.raw.destroy();
    return reply;
  }
  if (faults.strikes("slowReply")) await clock.sleep(SLOW_REPLY_MILLIS);
  return reply.code(201).send(callJson(created.call, account.accountSid));
}

function update(deps: FakeRoutesDeps, call: FakeCall, form: URLSearchParams, reply: FastifyReply): unknown {
  const status = form.get("Status");
  if (status !== "completed" && status !== "canceled")
    return refuse(reply, { status: 400, code: 20_001, message: "Status must be completed or canceled" });
  if (deps.calls.hangUp(call)) return callJson(call, deps.account.accountSid);
  return refuse(reply, { status: 400, code: 21_220, message: "Call is not in-progress. Cannot redirect." });
}

function eventsOf({ requests }: FakeCall): object {
  return {
    events: requests.map(({ url, parameters }) => ({
      request: { method: "POST", url, parameters },
      response: {},
    })),
    next_page_uri: null,
  };
}

function recordingsOf({ recording, sid }: FakeCall): object {
  const recordings =
    recording === null
      ? []
      : [
          {
            sid: recording.sid,
            call_sid: sid,
            status: recording.bytes === null ? "processing" : "completed",
            duration: recording.bytes === null ? null : String(recording.seconds),
            date_created: rfc2822(Date.now()),
          },
        ];
  return { recordings, next_page_uri: null };
}

function recordingIn(calls: FakeAccount, file: string) {
  return calls.calls().find(({ recording }) => recording?.sid === baseName(file))?.recording ?? undefined;
}

function baseName(file: string): string {
  return file.replace(/\.(wav|mp3|json)$/, "");
}

function isAskedFor(call: FakeCall, query: Readonly<Record<string, string>>): boolean {
  const since = query["StartTime>"];
  if (query["Status"] !== undefined && query["Status"] !== call.status) return false;
  if (query["To"] !== undefined && query["To"] !== call.form.get("To")) return false;
  if (query["From"] !== undefined && query["From"] !== call.form.get("From")) return false;
  return since === undefined || (call.startedAt !== null && call.startedAt >= Date.parse(since));
}

function addOwnRoutes(server: FastifyInstance, { journalPath, faults }: FakeRoutesDeps): void {
  server.get("/health", async () => ({ status: "ok" }));
  server.get("/journal", async (_request, reply) =>
    reply.type("application/x-ndjson").send(Readable.from(journalText(journalPath))),
  );
  server.put("/faults", async (request, reply) => {
    const shares = faultShares.strict().safeParse(request.body);
    if (!shares.success)
      return reply.code(400).send({ message: "Shares from 0 to 1 by the name of the fault" });
    faults.setShares(shares.data);
    return shares.data;
  });
}

async function* journalText(path: string): AsyncGenerator<string> {
  for await (const entry of journalEntries(path)) yield `${JSON.stringify(entry)}\n`;
}

function isSignedIn({ accountSid, authToken }: FakeRoutesDeps["account"]) {
  const expected = Buffer.from(`Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}`);
  return (authorization: string | undefined): boolean => {
    const given = Buffer.from(authorization ?? "");
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
}

function refuse(reply: FastifyReply, { status, code, message }: TwilioError): FastifyReply {
  return reply
    .code(status)
    .send({ code, message, status, more_info: `https://www.twilio.com/docs/errors/${code}` });
}
