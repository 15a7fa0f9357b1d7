import { z } from "zod";

const share = z.number().min(0).max(1).default(0);

/** Probability of each fault, 0 to 1. */
export const faultShares = z.object({
  /** A call is made, and its reply never arrives. */
  lostReply: share,
  /** The reply comes 2 s later. */
  slowReply: share,
  /** 429 with code 20429: no call is made. */
  tooMany: share,
  /** 503; every other one makes the call all the same. */
  unavailable: share,
  /** A callback is never sent. */
  callbackLost: share,
  /** The callback about a recording is never sent. */
  recordingLost: share,
  callbackTwice: share,
  /** A callback comes up to 3 s later, after those that follow it. */
  callbackLate: share,
  /** The relay's socket breaks during a talk. */
  relayLost: share,
});

export type FaultShares = z.infer<typeof faultShares>;
export type FaultName = keyof FaultShares;

export const NO_FAULTS: FaultShares = faultShares.parse({});

/** Faults, random or on demand. */
export interface Faults {
  /** From now on. */
  setShares(shares: Partial<FaultShares>): void;
  /** This fault at the next occasions, so many times. */
  next(name: FaultName, times?: number): void;
  strikes(name: FaultName): boolean;
}

export function createFaults(initial: Partial<FaultShares>, random: () => number): Faults {
  let shares: FaultShares = { ...NO_FAULTS, ...initial };
  const due = new Map<FaultName, number>();
  return {
    setShares: (given) => {
      shares = { ...NO_FAULTS, ...given };
    },
    next: (name, times = 1) => void due.set(name, (due.get(name) ?? 0) + times),
    strikes: (name) => {
      const left = due.get(name) ?? 0;
      if (left > 0) due.set(name, left - 1);
      return left > 0 || (shares[name] > 0 && random() < shares[name]);
    },
  };
}

/** `lostReply=0.1,callbackLost=0.2`. null: an unknown fault, or no valid share. */
export function parseFaults(text: string): Partial<FaultShares> | null {
  const given = Object.fromEntries(
    text
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .map((part) => {
        const [name = "", value = ""] = part.split("=");
        return [name, value === "" ? Number.NaN : Number(value)] as const;
      }),
  );
  const parsed = faultShares.strict().safeParse(given);
  return parsed.success ? parsed.data : null;
}
