import type pg from "pg";
import type {
  CampaignCommandQueue,
  QueuedCampaignCommand,
} from "../../application/ports/campaign-commands.ts";
import type { Notifications } from "../../application/ports/notifications.ts";
import type { CampaignId } from "../../domain/shared/ids.ts";
import type { JsonObject } from "../../domain/shared/json.ts";

const ENQUEUED = "campaign-command";
const ANSWERED = "campaign-answer";
/** For a lost notification. */
const LOOK_AGAIN_MILLIS = 500;

/** Rows of work.campaign_commands and a NOTIFY; within one process no NOTIFY is needed. */
export function createPostgresCampaignCommandQueue(
  pool: pg.Pool,
  notifications: Notifications,
): CampaignCommandQueue {
  const listeners = new Set<(campaignId: CampaignId) => void>();
  const waiting = new Map<string, Set<() => void>>();
  const enqueuedHere = (campaignId: CampaignId): void => {
    for (const listener of listeners) listener(campaignId);
  };
  const answeredHere = (id: string): void => {
    for (const look of waiting.get(id) ?? []) look();
  };
  notifications.subscribe(ENQUEUED, { onMessage: (message) => enqueuedHere(message as CampaignId) });
  notifications.subscribe(ANSWERED, { onMessage: answeredHere });
  return {
    enqueue: async (command) => {
      if (!(await insert(pool, command))) return;
      enqueuedHere(command.campaignId);
      notifications.tell(ENQUEUED, command.campaignId);
    },
    waiting: (campaignIds) => unanswered(pool, campaignIds),
    answer: async (id, answer) => {
      await pool.query("update work.campaign_commands set answer = $2 where id = $1 and answer is null", [
        id,
        JSON.stringify(answer),
      ]);
      answeredHere(id);
      notifications.tell(ANSWERED, id);
    },
    awaitAnswer: async (id, timeoutMillis) => {
      const until = performance.now() + timeoutMillis;
      for (;;) {
        const notified = nextNotification(
          waiting,
          id,
          Math.min(LOOK_AGAIN_MILLIS, until - performance.now()),
        );
        const answer = await answerOf(pool, id);
        if (answer !== null || performance.now() >= until) {
          notified.forget();
          return answer;
        }
        await notified.promise;
      }
    },
    onEnqueued: (listener) => {
      const own = (campaignId: CampaignId): void => listener(campaignId);
      listeners.add(own);
      return () => {
        listeners.delete(own);
      };
    },
  };
}

/** Resolves at the next notification of an answer, at the latest after `millis`. */
function nextNotification(
  waiting: Map<string, Set<() => void>>,
  id: string,
  millis: number,
): { readonly promise: Promise<void>; readonly forget: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const those = waiting.get(id) ?? new Set();
  const notified = (): void => {
    clearTimeout(timer);
    those.delete(notified);
    if (those.size === 0) waiting.delete(id);
    resolve();
  };
  const timer = setTimeout(notified, Math.max(0, millis));
  waiting.set(id, those.add(notified));
  return { promise, forget: notified };
}

async function insert(pool: pg.Pool, command: QueuedCampaignCommand): Promise<boolean> {
  const { id, campaignId, owner, payload } = command;
  const { rowCount } = await pool.query(
    `insert into work.campaign_commands (id, campaign_id, owner_id, payload, enqueued_at)
     values ($1, $2, $3, $4, now()) on conflict do nothing`,
    [id, campaignId, owner, JSON.stringify(payload)],
  );
  return rowCount === 1;
}

async function unanswered(
  pool: pg.Pool,
  campaignIds: readonly CampaignId[],
): Promise<readonly QueuedCampaignCommand[]> {
  const { rows } = await pool.query<QueuedCampaignCommand>(
    `select id, campaign_id as "campaignId", owner_id as owner, payload from work.campaign_commands
     where campaign_id = any($1::text[]) and answer is null order by sequence`,
    [campaignIds],
  );
  return rows;
}

async function answerOf(pool: pg.Pool, id: string): Promise<JsonObject | null> {
  const { rows } = await pool.query<{ answer: JsonObject | null }>(
    "select answer from work.campaign_commands where id = $1",
    [id],
  );
  return rows[0]?.answer ?? null;
}
