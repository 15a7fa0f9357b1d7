import type { Clock } from "../../application/ports/clock.ts";
import { ApiError } from "../errors.ts";

const MOST = 10;
const WITHIN_MILLIS = 60_000;
/** The most remembered addresses; those with the oldest failure are dropped first. */
const ADDRESSES = 10_000;

export type FailedSignIns = {
  /** Refuses an address with too many failures within the last minute. */
  readonly refuse: (address: string) => void;
  readonly failed: (address: string) => void;
};

/** Only failures count, so that nobody with a valid key is locked out by using it. */
export function failedSignIns({ monotonicMillis }: Pick<Clock, "monotonicMillis">): FailedSignIns {
  const failures = new Map<string, number[]>();
  const recent = (address: string) => {
    const since = monotonicMillis() - WITHIN_MILLIS;
    return (failures.get(address) ?? []).filter((at) => at > since);
  };
  return {
    refuse: (address) => {
      const times = recent(address);
      if (times.length < MOST) return;
      const wait = Math.ceil(((times[0] ?? 0) + WITHIN_MILLIS - monotonicMillis()) / 1_000);
      throw new ApiError(
        "RATE_LIMIT_EXCEEDED",
        `More than ${MOST} failed sign-ins a minute from this address`,
        {
          headers: { "Retry-After": String(Math.max(1, wait)) },
        },
      );
    },
    failed: (address) => {
      const times = [...recent(address), monotonicMillis()];
      failures.delete(address);
      failures.set(address, times);
      const [oldest] = failures.keys();
      if (failures.size > ADDRESSES && oldest !== undefined) failures.delete(oldest);
    },
  };
}
