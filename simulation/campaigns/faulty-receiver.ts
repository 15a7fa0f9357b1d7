import type { GuardedRequest, GuardedResult } from "../../infrastructure/http/guarded-exchange.ts";
import type { ReceiverFaults } from "./scenario.ts";
import { verifyBySeed } from "./seed-verifier.ts";
import type { SeededRandom } from "./seeded-random.ts";
import type { VirtualClock } from "./virtual-clock.ts";

export const RECEIVER_SECRET = "whsec_c2ltdWxhdGVk";

/** A request for the receiver, whether or not it arrived. */
export type Arrival = {
  readonly at: number;
  readonly eventId: string;
  readonly reached: boolean;
  /** It was accepted, and the sender got the answer. */
  readonly acknowledged: boolean;
  readonly isSigned: boolean;
};

export type FaultyReceiver = {
  readonly send: (request: GuardedRequest) => Promise<GuardedResult>;
  readonly arrivals: readonly Arrival[];
  /** From now on it accepts everything. */
  readonly calmDown: () => void;
};

const NEVER: ReceiverFaults = { unreachable: 0, refuses: 0, answerLost: 0 };
const GIVES_UP_MILLIS = 10_000;

/** A customer's receiver with the faults of real ones, by the seed. */
export function createFaultyReceiver(
  clock: VirtualClock,
  random: SeededRandom,
  atFirst: ReceiverFaults,
): FaultyReceiver {
  const arrivals: Arrival[] = [];
  let faults = atFirst;
  return {
    arrivals,
    calmDown: () => {
      faults = NEVER;
    },
    send: async ({ headers, body }) => {
      const at = clock.elapsed();
      const lowerCase = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
      );
      const { status } = verifyBySeed(RECEIVER_SECRET, lowerCase, Buffer.from(body ?? []), clock.nowMillis());
      const note = (reached: boolean, acknowledged: boolean) =>
        arrivals.push({
          at,
          eventId: lowerCase["webhook-id"] ?? "",
          reached,
          acknowledged,
          isSigned: status === 200,
        });
      if (random.chance(faults.unreachable)) {
        note(false, false);
        await clock.sleep(random.between(1, 20));
        return failed("refused");
      }
      if (random.chance(faults.answerLost)) {
        note(true, false);
        await clock.sleep(GIVES_UP_MILLIS);
        return failed("no answer");
      }
      const refused = random.chance(faults.refuses);
      note(true, !refused);
      await clock.sleep(random.between(1, 1_500));
      return answered(refused ? 503 : 200);
    },
  };
}

const TIMES = { dns: null, connect: null, tls: null, firstByte: null, total: 1 };
const SEEN = { times: TIMES, remoteAddress: "127.0.0.1", reused: true };

function answered(status: number): GuardedResult {
  return { ...SEEN, kind: "answered", status, headers: {}, body: Buffer.alloc(0), complete: true };
}

function failed(reason: string): GuardedResult {
  return { ...SEEN, kind: "failed", phase: "connect", reason };
}
