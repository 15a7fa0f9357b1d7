import { afterAll, beforeAll, expect, it } from "vitest";
import type { Answer, ApiUser, SendOptions, Wire } from "./support/api-user.ts";
import type { Operation } from "./support/document.ts";
import { hostileText, mutated, sampleOf } from "./support/fuzz-values.ts";
import { type Random, seededRandom } from "./support/random.ts";
import { startTestService, type TestService } from "./support/service.ts";
import { callable, campaignBody, made } from "./support/things.ts";

/** `FUZZ_RUNS=20000 FUZZ_SEED=7 npx vitest run test/api/fuzz.test.ts` is the long version. */
const RUNS = Number(process.env["FUZZ_RUNS"] ?? 2_000);
const SEED = Number(process.env["FUZZ_SEED"] ?? 1);

let service: TestService;
let user: ApiUser;
beforeAll(async () => {
  service = await startTestService();
  user = service.operator;
});
afterAll(() => service.stop());

it(`answers ${RUNS} valid, nearly valid and hostile requests as the document says (FUZZ_SEED=${SEED})`, async () => {
  const random = seededRandom(SEED);
  const known = await someIds();
  const statuses = new Map<number, number>();
  for (let run = 0; run < RUNS; run += 1) {
    const request = requestOf(random, random.pick(operations()), known);
    const answer = await sent(request, run);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    remember(known, answer.body);
  }
  expect(statuses.get(500)).toBeUndefined();
  expect(statuses.get(200) ?? 0).toBeGreaterThan(RUNS / 20);
  expect(statuses.get(201) ?? 0).toBeGreaterThan(RUNS / 100);
  expect(statuses.get(400) ?? 0).toBeGreaterThan(RUNS / 10);
  expect((await user.send("GET", "/health/ready")).status).toBe(200);
}, 1_800_000);

/** All but what would take the key away, or ends only when the client does. */
function operations(): readonly Operation[] {
  return service.document.operations.filter(
    ({ operationId }) => !["revokeApiKey", "changeUser", "getMetrics"].includes(operationId),
  );
}

async function someIds(): Promise<string[]> {
  const ready = await callable(user);
  const { campaign } = await made(user, "/api/v1/campaigns", campaignBody(ready));
  const squad = await made(user, "/api/v1/squads", {
    name: "S",
    members: [{ assistantId: ready.assistantId }],
  });
  return [ready.assistantId, ready.phoneNumberId, campaign.id, squad.id, squad.members[0].id];
}

function remember(known: string[], body: Wire): void {
  const ids = JSON.stringify(body ?? null).match(/"[a-z]{2,4}_[0-9a-z]{26}"/g) ?? [];
  for (const id of ids.slice(0, 3)) known.push(id.slice(1, -1));
  if (known.length > 200) known.splice(0, known.length - 200);
}

type Request = { readonly method: string; readonly path: string; readonly options: SendOptions };

async function sent({ method, path, options }: Request, run: number): Promise<Answer> {
  try {
    return await user.send(method, path, options);
  } catch (error) {
    throw new Error(
      `FUZZ_SEED=${SEED}, run ${run}: ${method} ${path} ${JSON.stringify(options).slice(0, 2_000)}`,
      {
        cause: error,
      },
    );
  }
}

function requestOf(random: Random, operation: Operation, known: readonly string[]): Request {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, () =>
    encodeURIComponent(
      (random.chance(0.85) ? random.pick(known) : hostileText(random)).toWellFormed() || "x",
    ),
  );
  return {
    method: operation.method,
    path: `${path}${queryOf(random, operation, known)}`,
    options: { ...bodyOf(random, operation, known), headers: headersOf(random, operation) },
  };
}

function queryOf(random: Random, { parameters }: Operation, known: readonly string[]): string {
  const query = new URLSearchParams();
  for (const { in: place, name, schema } of parameters) {
    if (place !== "query" || random.chance(0.7)) continue;
    const value = random.chance(0.7) ? String(sampleOf(random, schema, known)) : hostileText(random);
    query.append(name, value);
    if (random.chance(0.05)) query.append(name, value);
  }
  return query.size === 0 ? "" : `?${query}`;
}

function bodyOf(random: Random, operation: Operation, known: readonly string[]): SendOptions {
  if (operation.body === null) return random.chance(0.1) && operation.method !== "GET" ? { body: {} } : {};
  if (random.chance(0.05)) return { raw: random.pick(["{", "", "[1,", '{"a":1}x', "\u{feff}{}", "nul"]) };
  const valid = sampleOf(random, service.document.inlined(operation.body), known);
  return { body: random.chance(0.5) ? valid : mutated(random, valid) };
}

function headersOf(random: Random, operation: Operation): Record<string, string> {
  const headers: Record<string, string> = {};
  if (random.chance(0.1))
    headers["content-type"] = random.pick(["application/json", "text/plain", "x", "text/csv"]);
  if (operation.idempotent && random.chance(0.3))
    headers["idempotency-key"] = random.pick(["k1", "k2", "", "a b"]);
  if (random.chance(0.05)) headers["x-min-event-position"] = random.pick(["start", "1", "x", "9".repeat(30)]);
  if (random.chance(0.05)) headers["x-request-id"] = random.pick(["r1", "a b", "x".repeat(200)]);
  return headers;
}
