import type pg from "pg";
import type { EventStore } from "../../application/ports/event-store.ts";
import type { Logger } from "../../application/ports/logger.ts";
import { eventsOfTypes } from "../../application/restore/events-of-types.ts";
import type { DomainEvent } from "../../domain/events.ts";

const AT_ONCE = 1_000;
const KEYED: readonly DomainEvent["type"][] = ["CallRequested", "ContactsImported"];

/**
 * An operator who accepts a database that lacks calls and campaigns of the log also accepts that their keys
 * are lost. Texts of calls and contacts of campaigns count as erased from now on, and nobody waits for the
 * keys. Contacts that an older release stored in plain text need none. Repeated after a crash it does the
 * rest.
 */
export async function acceptLostKeys(deps: {
  readonly pool: pg.Pool;
  readonly eventStore: EventStore;
  readonly logger: Logger;
}): Promise<void> {
  const lost = { calls: 0, campaigns: 0 };
  let page = new Map<string, string>();
  const keep = async () => {
    const values = [[...page.keys()], [...page.values()]];
    const { rows } = await deps.pool.query<{ subject: string }>(INSERT, values);
    for (const { subject } of rows) lost[subject.startsWith("cmp_") ? "campaigns" : "calls"] += 1;
    page = new Map();
  };
  for await (const { type, stream, data, metadata } of eventsOfTypes(deps.eventStore, KEYED)) {
    if (type === "ContactsImported" && data["sealed"] === undefined) continue;
    page.set(stream.slice(stream.indexOf("-") + 1), metadata.owner);
    if (page.size === AT_ONCE) await keep();
  }
  await keep();
  if (lost.calls + lost.campaigns > 0)
    deps.logger.warn(
      lost,
      "the words of these calls and the contacts of these campaigns cannot be read any more: their keys are lost",
    );
}

const INSERT = `insert into config.subject_keys (subject, owner_id, erased_at)
  select subject, owner, now() from unnest($1::text[], $2::text[]) as lost(subject, owner) on conflict (subject) do nothing
  returning subject`;
