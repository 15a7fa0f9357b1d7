import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type {
  EventToAppend,
  ExpectedRevision,
  StoredEvent,
  StreamName,
} from "../../../application/ports/event-store.ts";
import type { StormLog } from "../../contracts/event-store/writer-storm.ts";

/**
 * The usual naive log: a sequence numbers the events, and the subscription reads `position > last`. Kept to
 * show that case 32 finds the events it loses, because sequence values become visible out of order.
 */
export async function openNaiveLog(
  connection: pg.ClientConfig,
): Promise<StormLog & { readonly close: () => Promise<void> }> {
  const pool = new pg.Pool({ ...connection, max: 24 });
  // `pool.end` resolves before its connections are closed; the cluster may stop right then
  pool.on("error", () => undefined);
  await pool.query(
    `create table naive_events (position bigserial primary key, stream text, revision int, id uuid, type text,
      unique (stream, revision))`,
  );
  return {
    append: (stream, expected, events) => append(pool, stream, expected, events),
    async *subscribe({ after, signal }) {
      let last = after === "" ? "0" : after;
      while (!signal.aborted) {
        const { rows } = await pool.query<Row>(
          "select * from naive_events where position > $1 order by position limit 500",
          [last],
        );
        last = rows.at(-1)?.position ?? last;
        yield { events: rows.map(toStored), position: last, caughtUp: rows.length < 500 };
        if (rows.length === 0) await delay(1);
      }
    },
    close: () => pool.end(),
  };
}

type Row = {
  readonly position: string;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
};

async function append(
  pool: pg.Pool,
  stream: StreamName,
  expected: ExpectedRevision,
  events: readonly EventToAppend[],
) {
  const client = await pool.connect();
  try {
    let revision = expected === "no_stream" ? -1 : expected;
    let position = "";
    await client.query("begin");
    for (const { id, type } of events) {
      revision += 1;
      const inserted = await client.query<Row>(
        "insert into naive_events (stream, revision, id, type) values ($1, $2, $3, $4) returning position",
        [stream, revision, id, type],
      );
      position = inserted.rows[0]?.position ?? "";
    }
    await client.query("select pg_sleep(random() * 0.003)");
    await client.query("commit");
    return { revision, position };
  } finally {
    client.release();
  }
}

function toStored({ position, stream, revision, id, type }: Row): StoredEvent {
  const metadata = { correlationId: "", causationId: null, actor: "", owner: "", schemaVersion: 1 };
  return { position, stream, revision, id, type, data: {}, metadata, created: "1970-01-01T00:00:00.000Z" };
}
