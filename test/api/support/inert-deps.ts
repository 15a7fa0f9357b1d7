import type { ApiDeps } from "../../../api/deps.ts";
import { createOpenStreams } from "../../../api/open-streams.ts";
import type { VerifiedApiKey } from "../../../application/ports/configuration/api-keys.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import { createMetrics } from "../../../infrastructure/metrics.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";

/**
 * Where every dependency throws the same thing, whatever is asked of it; a key with every scope is known. For
 * what no working part does.
 */
export function throwingDeps(thrown: () => Error, changes: Partial<ApiDeps> = {}): ApiDeps {
  const owner = systemIds.next("usr");
  const { metrics, metricsText } = createMetrics();
  const verified: VerifiedApiKey = { owner, keyId: systemIds.next("key"), scopes: ["admin", "operator"] };
  return {
    useCases: throwing(thrown),
    queries: throwing(thrown),
    configuration: configurationThat(thrown, async () => verified),
    idempotency: throwing(thrown),
    webhooks: throwing(thrown),
    eligibility: throwing(thrown),
    connectionChecks: throwing(thrown),
    takeOff: async () => Promise.reject(thrown()),
    replaceNumbers: async () => Promise.reject(thrown()),
    erasing: throwing(thrown),
    verifications: throwing(thrown),
    beginVerification: async () => Promise.reject(thrown()),
    rehearsals: throwing(thrown),
    beginRehearsal: async () => Promise.reject(thrown()),
    retention: throwing(thrown),
    admission: throwing(thrown),
    directory: throwing(thrown),
    toolTester: throwing(thrown),
    connectionKind: async () => Promise.reject(thrown()),
    progress: throwing(thrown),
    eventStore: throwing(thrown),
    clock: systemClock,
    ids: systemIds,
    logger: silentLogger,
    metrics,
    metricsText,
    readiness: [],
    recording: async () => ({ kind: "none" }),
    carrierCallbacks: null,
    phones: throwing(thrown),
    dashboard: null,
    entrances: [],
    openStreams: createOpenStreams(systemClock),
    settings: { rateLimit: { perSecond: 0, burst: 0 }, dashboard: { publicUrl: null } },
    ...changes,
  };
}

/** Every name on it is a function that throws. */
function throwing<T extends object>(thrown: () => Error): T {
  const handler = { get: () => async () => Promise.reject(thrown()) };
  return new Proxy({}, handler) as T;
}

/** Verifies keys as told, and throws at everything else. */
export function configurationThat(
  thrown: () => Error,
  verify: ApiDeps["configuration"]["apiKeys"]["verify"],
): ApiDeps["configuration"] {
  return {
    assistants: throwing(thrown),
    phoneNumbers: throwing(thrown),
    tools: throwing(thrown),
    secrets: throwing(thrown),
    connections: throwing(thrown),
    suppressions: throwing(thrown),
    suppressionLists: throwing(thrown),
    sessions: throwing(thrown),
    apiKeys: {
      verify,
      create: async () => Promise.reject(thrown()),
      list: async () => Promise.reject(thrown()),
      revoke: async () => Promise.reject(thrown()),
      ended: async () => Promise.reject(thrown()),
    },
    users: throwing(thrown),
    ledger: throwing(thrown),
    names: throwing(thrown),
  };
}
