import type { Clock } from "../../application/ports/clock.ts";
import type { Leases } from "../../application/ports/leases.ts";

/** What a test sees of leases; the engine never asks. */
export type LeasesSeen = {
  /** null: nobody holds it now. */
  readonly holder: (name: string) => Promise<string | null>;
};

/** Leases in memory, by the clock it is given. */
export function createMemoryLeases(clock: Clock): Leases & LeasesSeen {
  const leases = new Map<string, { readonly holder: string; readonly until: number }>();
  const current = (name: string): string | null => {
    const lease = leases.get(name);
    return lease !== undefined && lease.until > clock.nowMillis() ? lease.holder : null;
  };
  const hold = (name: string, holder: string, ttlMillis: number): void => {
    leases.set(name, { holder, until: clock.nowMillis() + ttlMillis });
  };
  return {
    acquire: async (name, holder, ttlMillis) => {
      const held = current(name);
      if (held !== null && held !== holder) return false;
      hold(name, holder, ttlMillis);
      return true;
    },
    renew: async (names, holder, ttlMillis) => {
      const still = names.filter((name) => current(name) === holder);
      for (const name of still) hold(name, holder, ttlMillis);
      return new Set(still);
    },
    release: async (name, holder) => {
      if (leases.get(name)?.holder === holder) leases.delete(name);
    },
    abandoned: async (prefix, limit, formerHolder) =>
      [...leases]
        .filter(([name]) => name.startsWith(prefix))
        .filter(([, { holder, until }]) => until <= clock.nowMillis() || holder === formerHolder)
        .sort(([, a], [, b]) => a.until - b.until)
        .slice(0, limit)
        .map(([name]) => name),
    holder: async (name) => current(name),
  };
}
