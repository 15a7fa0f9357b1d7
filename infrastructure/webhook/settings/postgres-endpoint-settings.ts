import { randomBytes } from "node:crypto";
import type pg from "pg";
import type { Clock } from "../../../application/ports/clock.ts";
import type { SecretBox } from "../../../application/ports/secret-box.ts";
import type { EndpointSecrets } from "../../../application/ports/webhook-sender.ts";
import type { WebhookRecord } from "../../../contract/webhook.ts";
import type { OwnerId } from "../../../domain/shared/ids.ts";
import { type Instant, instantFromMillis } from "../../../domain/shared/instant.ts";
import { DEFAULT_KINDS, type WebhookEventKind } from "../../../domain/webhook/kinds.ts";
import { inTransaction } from "../../postgres/transaction.ts";
import { openSecrets, type SealedSecretsRow, secretContext } from "../endpoint-secrets.ts";
import { IN_FLIGHT } from "../in-flight.ts";
import { SECRET_PREFIX } from "../signature.ts";

export type EndpointSettingsDeps = { readonly pool: pg.Pool; readonly box: SecretBox; readonly clock: Clock };

type EndpointRow = {
  url: string;
  enabled: boolean;
  misconfigured: boolean;
  disabled_reason: WebhookRecord["disabledReason"];
  events: WebhookEventKind[];
  pending: number;
  held: number;
  dead: number;
  oldest: Date | null;
};

/** null: this owner never set an endpoint. */
export async function readEndpoint(
  deps: EndpointSettingsDeps,
  owner: OwnerId,
): Promise<WebhookRecord | null> {
  const found = await deps.pool.query<EndpointRow>(READ, [owner]);
  const row = found.rows[0];
  if (row === undefined) return null;
  return {
    url: row.url,
    enabled: row.enabled,
    events: row.events,
    status: row.misconfigured ? "misconfigured" : row.enabled ? "enabled" : "disabled",
    disabledReason: row.enabled ? null : row.disabled_reason,
    pending: row.pending,
    held: row.held,
    dead: row.dead,
    oldestUndeliveredAt: row.oldest === null ? null : instantFromMillis(row.oldest.getTime()),
  };
}

/**
 * Saves settings that were already checked. Closes the breaker; held deliveries are due at
 * once when it is enabled.
 */
export async function writeEndpoint(
  deps: EndpointSettingsDeps,
  owner: OwnerId,
  settings: {
    readonly url: string;
    readonly enabled: boolean;
    readonly events: readonly WebhookEventKind[] | null;
  },
): Promise<void> {
  const now = deps.clock.now();
  await ensureSecret(deps, owner);
  await inTransaction(deps.pool, async (client) => {
    await client.query(RESET_STATE, [owner, now]);
    await client.query(PUT, [owner, settings.url, settings.enabled, settings.events ?? DEFAULT_KINDS, now]);
    await client.query(settings.enabled ? FREE_HELD : HOLD_OPEN, [owner, now]);
  });
}

/** The decrypted secrets; made if there are none. */
export async function ensureSecret(deps: EndpointSettingsDeps, owner: OwnerId): Promise<EndpointSecrets> {
  const sealed = deps.box.seal(newSecret(), secretContext(owner));
  const text =
    "insert into config.webhook_secrets (owner_id, sealed) values ($1, $2) on conflict (owner_id) do nothing";
  await deps.pool.query(text, [owner, sealed]);
  const secrets = await storedSecrets(deps, owner);
  if (secrets === null) throw new Error("the secret that was just made is gone");
  return secrets;
}

/** As `ensureSecret`, with one query where there are some. */
export async function readSecrets(deps: EndpointSettingsDeps, owner: OwnerId): Promise<EndpointSecrets> {
  return (await storedSecrets(deps, owner)) ?? ensureSecret(deps, owner);
}

async function storedSecrets(
  { pool, box }: EndpointSettingsDeps,
  owner: OwnerId,
): Promise<EndpointSecrets | null> {
  const found = await pool.query<SealedSecretsRow>(
    "select sealed, previous, previous_until from config.webhook_secrets where owner_id = $1",
    [owner],
  );
  const row = found.rows[0];
  return row === undefined ? null : openSecrets(box, owner, row);
}

/** Makes a new secret; the former one stays valid for the overlap, the one before that does not. */
export async function rotateSecret(
  deps: EndpointSettingsDeps,
  owner: OwnerId,
  overlapSeconds: number,
): Promise<{ secret: string; previousValidUntil: Instant | null }> {
  await ensureSecret(deps, owner);
  const secret = newSecret();
  const until =
    overlapSeconds === 0 ? null : instantFromMillis(deps.clock.nowMillis() + overlapSeconds * 1000);
  await inTransaction(deps.pool, async (client) => {
    await client.query("update config.webhook_endpoints set version = version + 1 where owner_id = $1", [
      owner,
    ]);
    await client.query(
      `update config.webhook_secrets set sealed = $2, previous_until = $3,
        previous = case when $3::timestamptz is null then null else sealed end
      where owner_id = $1`,
      [owner, deps.box.seal(secret, secretContext(owner)), until],
    );
  });
  return { secret, previousValidUntil: until };
}

function newSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(32).toString("base64")}`;
}

const READ = `
select endpoint.url, endpoint.enabled, endpoint.misconfigured, endpoint.disabled_reason, endpoint.events,
  open.count::int as pending, held.count::int as held, dead.count::int as dead, least(open.oldest, held.oldest) as oldest
from config.webhook_endpoints endpoint
cross join lateral (select count(*), min(created_at) as oldest from work.webhook_deliveries
  where owner_id = endpoint.owner_id and status in ('pending', 'retrying')) open
cross join lateral (select count(*), min(created_at) as oldest from work.webhook_deliveries
  where owner_id = endpoint.owner_id and status = 'held') held
cross join lateral (select count(*) from work.webhook_deliveries
  where owner_id = endpoint.owner_id and status = 'dead') dead
where endpoint.owner_id = $1`;

const RESET_STATE = `
insert into work.webhook_endpoint_state (owner_id, silent_since) values ($1, $2)
on conflict (owner_id) do update set breaker_failures = 0, breaker_open_until = null, breaker_wait_ms = 30000,
  silent_since = excluded.silent_since, exhausted = false, proven = false`;

const PUT = `
insert into config.webhook_endpoints (owner_id, url, enabled, disabled_reason, events, created_at, updated_at)
values ($1, $2, $3, case when $3 then null else 'manual' end, $4, $5, $5)
on conflict (owner_id) do update set url = excluded.url, enabled = excluded.enabled, misconfigured = false,
  disabled_reason = excluded.disabled_reason, events = excluded.events, version = webhook_endpoints.version + 1,
  updated_at = excluded.updated_at`;

const FREE_HELD = `
update work.webhook_deliveries set status = case when failures > 0 then 'retrying' else 'pending' end,
  next_attempt_at = $2, held_until = null
where owner_id = $1 and status = 'held'`;

const HOLD_OPEN = `
update work.webhook_deliveries d set status = 'held', held_until = $2::timestamptz + interval '7 days'
where d.owner_id = $1 and d.status in ('pending', 'retrying') and not ${IN_FLIGHT}`;
