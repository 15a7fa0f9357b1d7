import type { ReplayArchive, WebhookSettings } from "../../../application/ports/webhook-settings.ts";
import type { OwnerId } from "../../../domain/shared/ids.ts";
import { type AddressPolicy, judgeUrlAndName, type ResolveName } from "../../http/address-guard.ts";
import { missingBodies, replayOne, replayStored, storeEntries } from "../outbox/postgres-replay.ts";
import { listDeliveries, readDelivery } from "./postgres-delivery-queries.ts";
import { ensureSecret, readEndpoint, rotateSecret, writeEndpoint } from "./postgres-endpoint-settings.ts";
import { sendTest, type TestSendDeps } from "./postgres-test-send.ts";

export type WebhookSettingsDeps = TestSendDeps & {
  readonly policy: AddressPolicy;
  readonly resolve: ResolveName;
  /** Settings changed or a replay was queued (`DeliveryLoop.refresh`). */
  readonly onChange: (owners: readonly OwnerId[]) => void;
};

/** The webhook settings port over PostgreSQL. */
export function postgresWebhookSettings(deps: WebhookSettingsDeps): WebhookSettings & ReplayArchive {
  return {
    get: (owner) => readEndpoint(deps, owner),
    async put(owner, settings) {
      const verdict = await judgeUrlAndName(deps.policy, deps.resolve, settings.url);
      if (!verdict.allowed) return { saved: false, reason: verdict.reason };
      // The stored URL is the one that is called.
      await writeEndpoint(deps, owner, { ...settings, url: verdict.url.href });
      deps.onChange([owner]);
      const endpoint = await readEndpoint(deps, owner);
      if (endpoint === null) throw new Error("the endpoint that was just saved is gone");
      return { saved: true, endpoint };
    },
    secret: async (owner) => (await ensureSecret(deps, owner)).current,
    async rotateSecret(owner, overlapSeconds) {
      const rotated = await rotateSecret(deps, owner, overlapSeconds);
      deps.onChange([owner]);
      return rotated;
    },
    sendTest: (owner, sample) => sendTest(deps, owner, sample),
    deliveries: (owner, query) => listDeliveries(deps.pool, owner, query),
    delivery: (owner, id) => readDelivery(deps.pool, owner, id),
    async replay(owner, id) {
      const made = await replayOne(deps, owner, id);
      if (typeof made === "string") return { replayed: false, reason: made };
      deps.onChange([owner]);
      const delivery = await readDelivery(deps.pool, owner, made.id);
      if (delivery === null) throw new Error("the replay that was just made is gone");
      return { replayed: true, delivery };
    },
    async replayRange(owner, replayId, range) {
      const deliveries = await replayStored(deps, owner, replayId, range);
      deps.onChange([owner]);
      return { deliveries };
    },
    missing: (owner, eventIds) => missingBodies(deps, owner, eventIds),
    store: (owner, entries) => storeEntries(deps, owner, entries),
  };
}
