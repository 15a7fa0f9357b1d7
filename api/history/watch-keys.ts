import type { ApiDeps } from "../deps.ts";

/** With the half second for a slow reader, a stream ends within 1 s after the end of its key. */
const LOOK_EVERY_MILLIS = 250;

/**
 * Watches the keys of open streams. It reads the database, so it does not matter where a key was
 * revoked, nor whether the notification arrives. While the database is unavailable streams go on; there
 * are no new events then.
 */
export function keyWatch({
  configuration: { apiKeys, sessions },
  openStreams,
  clock,
  logger,
}: Pick<ApiDeps, "configuration" | "openStreams" | "clock" | "logger">): () => void {
  let isWatching = false;
  const look = async () => {
    const ended = await apiKeys.ended(openStreams.keyIds());
    for (const [key, reason] of ended) openStreams.end(({ keyId }) => keyId === key, reason);
    const open = openStreams.sessionIds();
    const over = open.length === 0 ? new Set<string>() : await sessions.ended(open);
    if (over.size > 0)
      openStreams.end(({ sessionId }) => sessionId !== null && over.has(sessionId), "session_ended");
  };
  const watch = async () => {
    while (openStreams.keyIds().length > 0) {
      await look().catch((error: unknown) => {
        logger.debug({ problem: String(error) }, "the keys of open streams could not be looked at");
      });
      await clock.sleep(LOOK_EVERY_MILLIS);
    }
    isWatching = false;
  };
  return () => {
    if (isWatching) return;
    isWatching = true;
    void watch();
  };
}
