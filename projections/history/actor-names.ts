import { createRecentMap } from "../../application/recent-map.ts";
import type { HistoryRecord } from "../../contract/history.ts";

/** Names of API keys by id; a key without a name is left out. */
export type ActorNames = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

const KEPT = 10_000;

/**
 * A key's name never changes, so each is looked up once. Names are optional: while they cannot be read,
 * histories come without them.
 */
export function rememberedNames(lookUp: ActorNames): ActorNames {
  const known = createRecentMap<string, string>(KEPT);
  return async (ids) => {
    const missing = ids.filter((id) => known.get(id) === undefined);
    const found = missing.length === 0 ? null : await lookUp(missing).catch(() => null);
    for (const [id, name] of found ?? []) known.set(id, name);
    return new Map(
      ids.flatMap((id) => {
        const name = known.get(id);
        return name === undefined ? [] : [[id, name] as const];
      }),
    );
  };
}

export async function withActorNames(
  { actorNames }: { readonly actorNames?: ActorNames },
  records: readonly HistoryRecord[],
): Promise<readonly HistoryRecord[]> {
  const ids = new Set(records.flatMap(({ actor }) => (actor.kind === "key" ? [actor.id] : [])));
  if (actorNames === undefined || ids.size === 0) return records;
  const names = await actorNames([...ids]);
  return records.map((record) => {
    const name = record.actor.kind === "key" ? names.get(record.actor.id) : undefined;
    return name === undefined ? record : { ...record, actor: { ...record.actor, name } };
  });
}
