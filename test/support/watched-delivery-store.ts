import type { DeliveryStore } from "../../application/ports/delivery-store.ts";

/** A store of deliveries that a test breaks, holds back, and asks what it was told. */
export type WatchedDeliveryStore = {
  readonly wrap: (store: DeliveryStore) => DeliveryStore;
  /** These fail now. */
  readonly broken: Set<keyof DeliveryStore>;
  /** What each was called with, in order, the failed calls too. */
  readonly given: { readonly [Name in keyof DeliveryStore]: Parameters<DeliveryStore[Name]>[] };
  /** Hold back the answers of one kind until the returned function is called. */
  holdClaims(): () => void;
  holdLeases(): () => void;
};

export function watchedDeliveryStore(): WatchedDeliveryStore {
  const broken: WatchedDeliveryStore["broken"] = new Set();
  const given: WatchedDeliveryStore["given"] = {
    ...{ dueOwners: [], lease: [], release: [], claim: [], giveBack: [], record: [] },
    ...{ recoverUnknown: [], hold: [], retire: [], oldestUndelivered: [] },
  };
  const held = new Map<keyof DeliveryStore, Promise<void>>();
  const hold = (name: keyof DeliveryStore) => () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held.set(name, promise);
    return resolve;
  };
  const watched = <Given extends readonly unknown[], Answer>(
    name: keyof DeliveryStore,
    calls: Given[],
    work: (...given: Given) => Promise<Answer>,
  ) => {
    return async (...args: Given): Promise<Answer> => {
      calls.push(args);
      if (broken.has(name)) throw new Error(`${name}: the database is away`);
      const answer = await work(...args);
      await held.get(name);
      return answer;
    };
  };
  return {
    broken,
    given,
    holdClaims: hold("claim"),
    holdLeases: hold("lease"),
    wrap: (store) => ({
      dueOwners: watched("dueOwners", given.dueOwners, store.dueOwners),
      lease: watched("lease", given.lease, store.lease),
      release: watched("release", given.release, store.release),
      claim: watched("claim", given.claim, store.claim),
      giveBack: watched("giveBack", given.giveBack, store.giveBack),
      record: watched("record", given.record, store.record),
      recoverUnknown: watched("recoverUnknown", given.recoverUnknown, store.recoverUnknown),
      hold: watched("hold", given.hold, store.hold),
      retire: watched("retire", given.retire, store.retire),
      oldestUndelivered: watched("oldestUndelivered", given.oldestUndelivered, store.oldestUndelivered),
    }),
  };
}
