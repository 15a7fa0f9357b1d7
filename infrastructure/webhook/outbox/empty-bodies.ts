import type pg from "pg";
import { erasedBody } from "../../../application/webhook/erased-body.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { inTransaction } from "../../postgres/transaction.ts";

/** Bodies in memory at once; each is at most 256 KiB. */
const AT_ONCE = 50;

type Message = { readonly owner_id: string; readonly event_id: string; readonly body: string };

/** Removes the texts from the stored bodies about these calls, in small steps. A repeat changes nothing. */
export async function emptyBodies(pool: pg.Pool, callIds: readonly CallId[]): Promise<void> {
  for (let last: Message | undefined; ; ) {
    const page: readonly Message[] = await emptySome(pool, callIds, last);
    last = page.at(-1);
    if (last === undefined || page.length < AT_ONCE) return;
  }
}

async function emptySome(
  pool: pg.Pool,
  callIds: readonly CallId[],
  after: Message | undefined,
): Promise<readonly Message[]> {
  return inTransaction(pool, async (client) => {
    const place = [after?.owner_id ?? "", after?.event_id ?? ""];
    const { rows } = await client.query<Message>(BODIES, [callIds, ...place, AT_ONCE]);
    const emptied = rows.map(({ body, ...message }) => ({ ...message, body: erasedBody(body) }));
    await client.query(EMPTY, [JSON.stringify(emptied)]);
    return rows;
  });
}

const BODIES = `
select owner_id, event_id, body from work.webhook_messages
where call_id = any($1::text[]) and body is not null and (owner_id, event_id) > ($2, $3)
order by owner_id, event_id limit $4 for update`;

const EMPTY = `
update work.webhook_messages m set body = emptied.body
from json_to_recordset($1::json) as emptied(owner_id text, event_id text, body text)
where m.owner_id = emptied.owner_id and m.event_id = emptied.event_id`;
