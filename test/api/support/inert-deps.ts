import type { ApiDeps } from "../../../api/deps.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import { createMetrics } from "../../../infrastructure/metrics.ts";
import { silentLogger } from "../../support/silent.ts";

/** Where every dependency throws the same thing, whatever is asked of it; a key with every scope is known. For what no working part does. */
export function throwingDeps(thrown: () => Error, changes: Partial<ApiDeps> = {}): ApiDeps {
  const owner = systemIds.next("usr");
  const { metrics, metricsText } = createMetrics();
  const configuration = throwing<ApiDeps["configuration"]>(thrown);
  return {
    useCases: throwing(thrown),
    queries: throwing(thrown),
    configuration: {
      ...tables(thrown),
      apiKeys: {
        ...configuration.apiKeys,
        verify: async () => ({ owner, keyId: systemIds.next("key"), scopes: ["admin", "operator"] }),
      },
    },
    idempotency: throwing(thrown),
    webhooks: throwing(thrown),
    admission: throwing(thrown),
    directory: throwing(thrown),
    eventStore: throwing(thrown),
    clock: systemClock,
    ids: systemIds,
    logger: silentLogger,
    metrics,
    metricsText,
    readiness: [],
    recording: async () => null,
    carrierCallbacks: null,
    settings: { rateLimit: { perSecond: 0, burst: 0 } },
    ...changes,
  };
}

/** Every name on it is a function that throws. */
function throwing<T extends object>(thrown: () => Error): T {
  const handler = { get: () => async () => Promise.reject(thrown()) };
  return new Proxy({}, handler) as T;
}

function tables(thrown: () => Error): ApiDeps["configuration"] {
  return {
    assistants: throwing(thrown),
    phoneNumbers: throwing(thrown),
    tools: throwing(thrown),
    secrets: throwing(thrown),
    suppressions: throwing(thrown),
    apiKeys: throwing(thrown),
    users: throwing(thrown),
    ledger: throwing(thrown),
  };
}
