import type { Clock } from "../../../application/ports/clock.ts";
import type { Ids } from "../../../application/ports/ids.ts";
import type { SendAttempt, SentAttempt } from "../../../application/ports/webhook-sender.ts";
import type { WebhookSample } from "../../../application/ports/webhook-settings.ts";
import type { WebhookTestRecord } from "../../../contract/webhook.ts";
import type { OwnerId } from "../../../domain/shared/ids.ts";
import { type AttemptOutcome, outcomeOf } from "../../../domain/webhook/attempt-outcome.ts";
import { type EndpointSettingsDeps, ensureSecret } from "./postgres-endpoint-settings.ts";

export type TestSendDeps = EndpointSettingsDeps & {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly sendAttempt: SendAttempt;
};

/** Sends one signed sample now, whatever breaker and schedule say, and logs it as its own delivery. */
export async function sendTest(
  deps: TestSendDeps,
  owner: OwnerId,
  sample: WebhookSample,
): Promise<WebhookTestRecord | null> {
  const found = await deps.pool.query<{ url: string }>(
    "select url from config.webhook_endpoints where owner_id = $1",
    [owner],
  );
  const url = found.rows[0]?.url;
  if (url === undefined) return null;
  const secrets = await ensureSecret(deps, owner);
  const test = { owner, ...sample, deliveryId: deps.ids.next("dlv") };
  const startedAtMillis = deps.clock.nowMillis();
  const sent = await deps.sendAttempt({ url, secrets, number: 1, ...test }, startedAtMillis);
  const outcome = outcomeOf(sent.end, deps.clock.nowMillis());
  await deps.pool.query(LOG_TEST, [JSON.stringify(logRow(test, sent, outcome, startedAtMillis))]);
  return {
    status: outcome.status,
    ms: Math.round(sent.times.total),
    detail: outcome.detail,
    request: { headers: sent.headers, body: sample.body },
    response: sent.answer,
  };
}

type Test = WebhookSample & { readonly owner: OwnerId; readonly deliveryId: string };

function logRow(test: Test, sent: SentAttempt, outcome: AttemptOutcome, startedAtMillis: number) {
  return {
    ...test,
    status: outcome.class === "delivered" ? "delivered" : "dead",
    startedAt: new Date(startedAtMillis),
    endedAt: new Date(startedAtMillis + sent.times.total),
    class: outcome.class,
    httpStatus: outcome.status,
    detail: outcome.detail,
    phases: sent.times,
    answer: sent.answer,
    answerHeaders: sent.answerHeaders,
    remoteAddress: sent.remoteAddress,
    secretId: sent.secretId,
  };
}

const LOG_TEST = `
with test as (
  select * from json_to_record($1) as test(owner text, event text, body text, "eventId" text, "deliveryId" text, status text,
    "startedAt" timestamptz, "endedAt" timestamptz, class text, "httpStatus" integer, detail text, phases json, answer text,
    "answerHeaders" json, "remoteAddress" text, "secretId" text)
), message as (
  insert into work.webhook_messages (owner_id, event_id, event, occurred_at, body, delivery_id)
  select owner, "eventId", event, "startedAt", body, "deliveryId" from test
), delivery as (
  insert into work.webhook_deliveries (owner_id, id, event_id, trigger, status, attempts, failures, next_attempt_at, created_at, delivered_at)
  select owner, "deliveryId", "eventId", 'test', status, 1, case status when 'dead' then 1 else 0 end, "startedAt", "startedAt",
    case status when 'delivered' then "endedAt" end
  from test
)
insert into work.webhook_attempts (owner_id, delivery_id, number, trigger, started_at, ended_at, class, http_status, detail,
  phases, answer, answer_headers, remote_address, secret_id)
select owner, "deliveryId", 1, 'test', "startedAt", "endedAt", class, "httpStatus", detail, phases, answer, "answerHeaders",
  "remoteAddress", "secretId"
from test`;
