import { judgeUrl } from "./address-guard.ts";
import { guardedConnection } from "./guarded-connection.ts";
import type { ExchangeLimits, GuardedRequest, GuardedResult } from "./guarded-exchange.ts";
import type { ConnectorDeps } from "./pinned-connector.ts";

/**
 * One request on its own socket, never repeated: for requests that may not be idempotent. It never rejects;
 * an abort ends it with `failed`.
 */
export async function sendOnce(
  deps: ConnectorDeps,
  limits: ExchangeLimits,
  request: GuardedRequest,
  signal: AbortSignal,
): Promise<GuardedResult> {
  const verdict = judgeUrl(deps.policy, request.url);
  if (!verdict.allowed) return unsent("blocked", verdict.reason);
  if (signal.aborted) return unsent("blocked", "aborted");
  const { url } = verdict;
  const connection = guardedConnection(deps, limits, url, () => undefined);
  const breakOff = () => connection.destroy();
  signal.addEventListener("abort", breakOff, { once: true });
  const result = await connection.exchange(request, `${url.pathname}${url.search}`, limits.totalMillis);
  signal.removeEventListener("abort", breakOff);
  connection.destroy();
  return result;
}

function unsent(kind: "blocked", reason: string): GuardedResult {
  const times = { dns: null, connect: null, tls: null, firstByte: null, total: 0 };
  return { kind, reason, times, remoteAddress: null, reused: false };
}
