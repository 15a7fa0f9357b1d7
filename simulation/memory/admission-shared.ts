import type { Books, OwnerBook } from "../../domain/admission/owner-book.ts";
import type { Capacity, ConnectionBook, SharedBook, Waiter } from "../../domain/admission/shared-book.ts";
import type { Millis } from "../../domain/admission/slots.ts";
import type { CampaignId, OwnerId } from "../../domain/shared/ids.ts";

/** What is kept of an owner between two transactions. */
export type KeptBook = Omit<OwnerBook, "plan" | "active" | "policy" | "lists" | "shared">;

/** What all owners share, in memory. */
export function createShared() {
  const connections = new Map<string, ConnectionBook>();
  let limits: Pick<Capacity, "text" | "audio"> | null = null;
  let [openText, openAudio] = [0, 0];
  return {
    connections,
    books: (accounts: ReadonlyMap<OwnerId, KeptBook>, now: Millis): SharedBook => ({
      connections,
      capacity: limits === null ? null : { ...limits, openText, openAudio },
      waiters: waitersOf(accounts, now),
    }),
    /** Counts what a transaction opened and closed. */
    keep: ({ opened, closed }: Books): void => {
      for (const [slots, by] of [[opened, 1] as const, [closed, -1] as const]) {
        const sound = slots.filter(({ audio }) => audio).length;
        openAudio += by * sound;
        openText += by * (slots.length - sound);
      }
    },
    setCapacity: (next: Pick<Capacity, "text" | "audio"> | null): void => {
      limits = next;
    },
  };
}

function waitersOf(accounts: ReadonlyMap<OwnerId, KeptBook>, now: Millis): Map<CampaignId, Waiter> {
  const waiters = new Map<CampaignId, Waiter>();
  for (const [owner, { demands }] of accounts) {
    for (const { campaignId, waitsFor, wanted, until, lastGrant } of demands.values()) {
      if (waitsFor !== null && wanted > 0 && until > now)
        waiters.set(campaignId, { owner, campaignId, waitsFor, lastGrant });
    }
  }
  return waiters;
}
