import type { Logger } from "../../../application/ports/logger.ts";
import type { Notifications } from "../../../application/ports/notifications.ts";
import { wakeRound } from "../../../domain/admission/fair-share.ts";
import type { Books } from "../../../domain/admission/owner-book.ts";
import type { Wake } from "../../../domain/admission/requests.ts";
import { sharedRound } from "../../../domain/admission/shared-round.ts";
import type { CampaignId, OwnerId } from "../../../domain/shared/ids.ts";

const TOPIC = "wake";

export type Wakes = {
  /**
   * After a commit: wakes campaigns that can go on with their owners' slots and credits, here and in other
   * processes, and plans the next round.
   */
  readonly afterCommit: (books: Books) => void;
  readonly tell: (wakes: readonly Wake[]) => void;
  readonly onWake: (listener: (wake: Wake) => void) => () => void;
  readonly close: () => void;
};

export function createWakes(
  notifications: Notifications,
  logger: Logger,
  lookRound: (owner: OwnerId) => Promise<unknown>,
): Wakes {
  const listeners = new Set<(wake: Wake) => void>();
  const rounds = plannedRounds(logger, lookRound);
  /** An error of a listener must not fail the transaction. */
  const here = (wake: Wake): void => {
    for (const listener of listeners) {
      try {
        listener(wake);
      } catch (error) {
        logger.error({ problem: String(error) }, "a campaign could not be woken");
      }
    }
  };
  const tell = (wakes: readonly Wake[]): void => {
    for (const wake of wakes) {
      here(wake);
      notifications.tell(TOPIC, `${wake.owner} ${wake.campaignId}`);
    }
  };
  const unsubscribe = notifications.subscribe(TOPIC, {
    onMessage: (message) => here(parseWake(message)),
  });
  return {
    afterCommit: ({ owners, shared, now }) => {
      tell(sharedRound(shared, now));
      for (const book of owners.values()) {
        const { wakes, again } = wakeRound(book, now);
        tell(wakes.map((campaignId) => ({ owner: book.owner, campaignId })));
        if (again !== null) rounds.plan(book.owner, again - now);
      }
    },
    tell,
    onWake: (listener) => {
      const own = (wake: Wake): void => listener(wake);
      listeners.add(own);
      return () => {
        listeners.delete(own);
      };
    },
    close: () => {
      unsubscribe();
      rounds.close();
    },
  };
}

/** The next look round of each owner; the earlier of two that are planned counts. */
function plannedRounds(logger: Logger, lookRound: (owner: OwnerId) => Promise<unknown>) {
  const planned = new Map<OwnerId, { readonly at: number; readonly timer: NodeJS.Timeout }>();
  return {
    plan: (owner: OwnerId, inMillis: number): void => {
      const at = performance.now() + inMillis;
      const earlier = planned.get(owner);
      if (earlier !== undefined && earlier.at <= at) return;
      clearTimeout(earlier?.timer);
      const timer = setTimeout(() => {
        planned.delete(owner);
        lookRound(owner).catch((error: unknown) => {
          logger.warn({ problem: String(error) }, "campaigns that wait for a slot were not woken");
        });
      }, inMillis);
      timer.unref();
      planned.set(owner, { at, timer });
    },
    close: (): void => {
      for (const { timer } of planned.values()) clearTimeout(timer);
      planned.clear();
    },
  };
}

function parseWake(message: string): Wake {
  const [owner, campaignId] = message.split(" ");
  return { owner: owner as OwnerId, campaignId: campaignId as CampaignId };
}
