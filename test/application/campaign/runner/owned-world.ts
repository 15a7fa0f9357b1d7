import {
  createOwnedCampaigns,
  LEASE_PREFIX,
} from "../../../../application/campaign/runner/owned-campaigns.ts";
import { EventStoreError } from "../../../../application/ports/event-store.ts";
import type { CampaignEvent } from "../../../../domain/campaign/events.ts";
import { at, contact, created } from "../../../domain/campaign/example-campaign.ts";
import { pass, until } from "../../engine-world.ts";
import { runnerParts } from "./runner-parts.ts";
import { STREAM } from "./runner-world.ts";

export const LEASE = "campaign:cmp_1";
export const DAY_MILLIS = 24 * 60 * 60_000;
export const ONE = [contact(1)];
/** It goes on waiting for its time. */
export const WAITING = created(ONE, { startAt: at(1_000_000) });
export const GONE = new EventStoreError({ kind: "deleted", stream: STREAM });

/** A process that may hold a campaign whose stream holds this. */
export async function ownedBy(events: readonly CampaignEvent[], keeps = true) {
  const failure: { error: Error | null } = { error: null };
  const asked = { renewals: 0 };
  let failing: "acquire" | "release" | null = null;
  const parts = runnerParts(
    ({ leases }) => ({
      leases: {
        ...leases,
        acquire: async (...args) => {
          if (failing === "acquire") throw new TypeError("away");
          return leases.acquire(...args);
        },
        release: async (...args) => {
          if (failing === "release") throw new TypeError("away");
          return leases.release(...args);
        },
        renew: async (...args) => {
          asked.renewals += 1;
          return leases.renew(...args);
        },
      },
    }),
    {
      wrapStore: (store) => ({
        ...store,
        read: async (...args) => {
          if (failure.error !== null) throw failure.error;
          return store.read(...args);
        },
      }),
    },
  );
  if (events.length > 0) await parts.store(STREAM, ...events);
  const { leases, clock } = parts.stores;
  return {
    ...parts,
    failure,
    asked,
    owned: createOwnedCampaigns(parts.deps, keeps),
    leasesFailAt: (which: "acquire" | "release") => {
      failing = which;
    },
    passed: (millis: number) => pass(parts.stores, millis),
    /** Another process takes it, whoever has it now. */
    taken: async (millis = DAY_MILLIS) => {
      await leases.release(LEASE, "one");
      await leases.acquire(LEASE, "two", millis);
    },
    holder: () => leases.holder(LEASE),
    /** Whether somebody who looks for campaigns that nobody runs finds it. */
    isLeft: async () => {
      await until(parts.stores, clock.sleep(1));
      return (await leases.abandoned(LEASE_PREFIX, 10)).includes(LEASE);
    },
  };
}
