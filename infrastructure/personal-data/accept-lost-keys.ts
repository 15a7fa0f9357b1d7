import type pg from "pg";
import type { EventStore } from "../../application/ports/event-store.ts";
import type { Logger } from "../../application/ports/logger.ts";
import { eventsOfTypes } from "../../application/restore/events-of-types.ts";
import type { DomainEvent } from "../../domain/events.ts";

const AT_ONCE = 1_000;
const REQUESTED: DomainEvent["type"] = "CallRequested";

/**
 * An operator who accepts a database that lacks calls of the log also accepts that their keys are lost. Their
 * texts count as erased from now on, and nobody waits for the keys. Repeated after a crash it does the rest.
 */
export async function acceptLostKeys(deps: {
  readonly pool: pg.Pool;
  readonly eventStore: EventStore;
  readonly logger: Logger;
}): Promise<void> {
  let lost = 0;
  let page: { readonly subject: string; readonly owner: string }[] = [];
  const keep = async () => {
    const values = [page.map(({ subject }) => subject), page.map(({ owner }) => owner)];
    lost += (await deps.pool.query(INSERT, values)).rowCount ?? 0;
    page = [];
  };
  for await (const { stream, metadata } of eventsOfTypes(deps.eventStore, [REQUESTED])) {
    page.push({ subject: stream.slice("call-".length), owner: metadata.owner });
    if (page.length === AT_ONCE) await keep();
  }
  await keep();
  if (lost > 0)
    deps.logger.warn(
      { calls: lost },
      "the words of these calls cannot be read any more: their keys are lost",
    );
}

const INSERT = `insert into config.subject_keys (subject, owner_id, erased_at)
  select subject, owner, now() from unnest($1::text[], $2::text[]) as lost(subject, owner) on conflict (subject) do nothing`;
