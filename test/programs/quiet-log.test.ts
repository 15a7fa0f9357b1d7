import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../../simulation/drills/eventually.ts";
import { type Program, SERVICE, startProgram } from "../../simulation/drills/program.ts";
import { type ApiUser, apiUser } from "../api/support/api-user.ts";
import { loadDocument } from "../api/support/document.ts";
import { callable, campaignBody, endedCall, made } from "../api/support/things.ts";
import { createTestDatabase, type TestDatabase } from "../support/postgres.ts";

const OPERATOR_KEY = randomBytes(24).toString("hex");
const SECRETS_KEY = randomBytes(32).toString("base64");
const NUMBERS = ["+15005550006", "+15005550001", "+15005550009", "+12025550177", "+12025550188"];
const SAID = {
  name: "Zelda Quixano",
  customData: "amount-is-7731",
  greeting: "Greetings from Ringfold-Greeting",
  instructions: "mention-the-invoice",
  metadata: "order-4471-meta",
  toolSecret: "tool-hush-5521",
  urlToken: "url-hush-8812",
  answer: "receiver-said-hush-9913",
  idempotencyKey: "key-of-zelda",
};
const PATIENCE = 120_000;

let folder: string;
let log: string;
let database: TestDatabase;
let service: Program;
let receiver: Server;
let answers = 0;
let owner: ApiUser;
const secrets: string[] = [OPERATOR_KEY, SECRETS_KEY];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ringfold-quiet-"));
  log = join(folder, "log");
  database = await createTestDatabase();
  receiver = createServer((request, response) => {
    answers += 1;
    request.resume();
    response.writeHead(answers % 3 === 0 ? 500 : 200, { location: `/in?token=${SAID.urlToken}` });
    response.end(`${SAID.answer} ${NUMBERS.join(" ")}`);
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  service = startProgram(
    SERVICE,
    {
      PORT: "0",
      DATABASE_URL: database.connectionString,
      DATA_DIR: join(folder, "data"),
      SECRETS_KEY,
      BOOTSTRAP_API_KEY: OPERATOR_KEY,
      LOG_LEVEL: "debug",
      SIMULATOR_SPEED: "50",
      WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
      RATE_LIMIT_PER_SECOND: "0",
    },
    log,
  );
  const operator = apiUser({
    url: await service.listening,
    document: await loadDocument(),
    key: OPERATOR_KEY,
  });
  const { body } = await operator.send("POST", "/api/v1/users", { body: { name: SAID.name } });
  const { key } = body.data.apiKey;
  secrets.push(key);
  owner = apiUser({ url: operator.url, document: operator.document, key });
}, PATIENCE);
afterAll(async () => {
  await service.stop();
  receiver.closeAllConnections();
  receiver.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
}, PATIENCE);

/** Every line of the log that holds one of these words, with the word in front. */
async function linesWith(words: readonly string[]): Promise<string[]> {
  const lines = (await readFile(log, "utf8")).split("\n");
  return words.flatMap((word) =>
    lines.filter((line) => line.includes(word)).map((line) => `${word}: ${line}`),
  );
}

const call = (to: string, headers: Record<string, string> = {}) => ({
  body: { ...ready, to, greetingMessage: SAID.greeting, metadata: { order: SAID.metadata } },
  headers,
});
let ready: Awaited<ReturnType<typeof callable>>;

async function ordinaryJourney(): Promise<void> {
  const { port } = Object(receiver.address());
  const url = `http://127.0.0.1:${port}/hook?token=${SAID.urlToken}`;
  await owner.send("PUT", "/api/v1/webhook", { body: { url, enabled: true } });
  await owner.send("POST", "/api/v1/webhook/test", { body: { event: "call.ended" } });
  const rotated = await owner.send("POST", "/api/v1/webhook/rotate-secret", { body: { overlapSeconds: 0 } });
  secrets.push(rotated.body.secret ?? rotated.body.data.secret);
  ready = await callable(owner);
  const key = { "idempotency-key": SAID.idempotencyKey };
  const started = await owner.send("POST", "/api/v1/calls/outbound", call("+15005550006", key));
  await owner.send("POST", "/api/v1/calls/outbound", call("+15005550006", key));
  await endedCall(owner, started.body.callId);
  await owner.send("POST", "/api/v1/calls/outbound", call(`${SAID.name} ${NUMBERS[0]}`));
  await owner.send("POST", "/api/v1/calls/outbound", { raw: `{"to": "${NUMBERS[0]}", ${SAID.name}` });
  await owner.send("POST", "/api/v1/suppressions", {
    body: { phoneNumber: "+12025550188", reason: SAID.name },
  });
  await owner.send("POST", "/api/v1/calls/outbound", call("+12025550188"));
  await owner.send("GET", `/api/v1/calls?to=${encodeURIComponent("+15005550006")}`);
  await apiUser({ url: owner.url, document: owner.document, key: "wrong-key-hush-1" }).send(
    "GET",
    "/api/v1/calls",
  );
  secrets.push("wrong-key-hush-1");
}

async function campaign(): Promise<void> {
  const contacts = NUMBERS.map((phoneNumber) => ({
    phoneNumber,
    name: SAID.name,
    customData: { amount: SAID.customData },
  }));
  const texts = { greetingMessage: `${SAID.greeting} {{name}}`, specialInstructions: SAID.instructions };
  const body = campaignBody(ready, { contacts, ...texts, retryOn: [] });
  const { campaign: made_ } = await made(owner, "/api/v1/campaigns", body);
  await owner.send("POST", `/api/v1/campaigns/${made_.id}/start`);
  await eventually("the end of the campaign", async () => {
    const answer = await owner.send("GET", `/api/v1/campaigns/${made_.id}`);
    return answer.body.data.campaign.status === "COMPLETED";
  });
}

/** PostgreSQL tells whole rows in its errors ("Failing row contains …"), and connections break. */
async function failures(): Promise<void> {
  const refusing = (what: string) => database.pool.query(`alter table ${what} check (false) not valid`);
  await refusing("read.calls_v3 add constraint refuses");
  await refusing("work.webhook_messages add constraint refuses");
  await refusing("config.suppressions add constraint refuses");
  await owner.send("POST", "/api/v1/calls/outbound", call("+12025550177"));
  await owner.send("POST", "/api/v1/suppressions", {
    body: { phoneNumber: "+12025550177", reason: SAID.name },
  });
  await eventually(
    "a failure in the log",
    async () => (await linesWith(["check constraint", "23514"])).length > 0,
  );
  await database.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  await eventually(
    "an answer",
    async () => (await owner.send("GET", "/api/v1/account").catch(() => null))?.status === 200,
  );
}

it(
  "says nothing of a person, a key or a secret in any line of a whole journey at level debug",
  async () => {
    await ordinaryJourney();
    await campaign();
    await failures();
    const bare = NUMBERS.map((number) => number.slice(1));
    expect(await linesWith([...bare, ...Object.values(SAID), ...secrets])).toEqual([]);
    expect(
      (await linesWith(["webhook attempt", "request answered", "call handed over"])).length,
    ).toBeGreaterThan(20);
  },
  PATIENCE,
);
