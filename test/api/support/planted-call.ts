import type pg from "pg";
import { callStream } from "../../../application/log/stream-names.ts";
import type { EventToAppend } from "../../../application/ports/event-store.ts";
import { openStores } from "../../../composition/open-stores.ts";
import type { CallId, OwnerId } from "../../../domain/shared/ids.ts";
import { drawKey } from "../../../infrastructure/account/subject-keys/draw-key.ts";
import type { Config } from "../../../infrastructure/config.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import { loadSecretsKey, secretBox } from "../../../infrastructure/secrets.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { eventsToAppend } from "../../../simulation/memory/subject-keys.ts";
import { plantedConversation } from "./planted-conversation.ts";

type Where = {
  /** Of the service whose stores are meant. */
  readonly config: Config;
  readonly pool: pg.Pool;
  readonly secretsKey: string;
  /** What is appended in place of the sealed events. */
  readonly altered?: (events: readonly EventToAppend[], callId: string) => Promise<readonly EventToAppend[]>;
};

/**
 * A call with marked words in every place of its events, as the service itself would have stored it: with a
 * key, sealed. Its owner is the one of the calls that are there.
 */
export async function plantedCall(
  mark: string,
  { config, pool, secretsKey, altered = async (events) => events }: Where,
): Promise<CallId> {
  const { rows } = await pool.query<{ owner_id: OwnerId }>("select owner_id from config.subject_keys");
  const owner = rows[0]?.owner_id ?? "usr_none";
  const callId = systemIds.next("call");
  const { sealed: sealedKey } = drawKey(secretBox(loadSecretsKey(secretsKey, null)), callId, owner);
  await pool.query(
    "insert into config.subject_keys (subject, owner_id, sealed_key) values ($1, $2, decode($3, 'base64'))",
    [callId, owner, sealedKey],
  );
  const stores = await openStores(config, silentLogger, "tool");
  try {
    const events = plantedConversation(mark, { callId, owner, now: Date.now() });
    const sealed = await eventsToAppend(stores.codec, owner, events);
    await stores.eventStore.append(callStream(callId), "no_stream", await altered(sealed, callId));
  } finally {
    await stores.close();
  }
  return callId;
}
