import type { Eligibility } from "../../application/ports/eligibility.ts";
import { type EligibilityAnswer, unavailable } from "../../domain/policy/eligibility-answer.ts";
import { plusMillis } from "../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { AddressFaults } from "./scenario.ts";
import type { SeededRandom } from "./seeded-random.ts";
import type { VirtualClock } from "./virtual-clock.ts";

const MINUTE_MILLIS = 60_000;
const DAY_MILLIS = 24 * 60 * MINUTE_MILLIS;

/** A question that the address was asked; `at`: since the beginning. */
export type AskedQuestion = {
  readonly phoneNumber: PhoneNumber;
  readonly at: number;
  readonly answer: EligibilityAnswer["kind"];
};

/** The owner's address that is asked whether somebody may be called, as a process sees it over HTTP. */
export type FaultyAddress = Pick<Eligibility, "ask"> & {
  /** By the id of the question. */
  readonly questions: ReadonlyMap<string, AskedQuestion>;
  readonly goAway: (millis: number) => void;
  /** From now on it answers, and allows everybody. */
  readonly calmDown: () => void;
};

/** It allows, refuses for good or until later, says nothing, lies, and is away for a while. */
export function createFaultyAddress(
  clock: VirtualClock,
  random: SeededRandom,
  given: AddressFaults,
): FaultyAddress {
  const questions = new Map<string, AskedQuestion>();
  let faults: Pick<AddressFaults, "refuses" | "untilLater" | "silent" | "lies"> = given;
  let awayUntil = 0;
  const until = () =>
    plusMillis(
      clock.now(),
      random.chance(0.5) ? random.between(0, 90 * MINUTE_MILLIS) : random.between(1, 20) * DAY_MILLIS,
    );
  const answerOf = (isSilent: boolean): EligibilityAnswer => {
    if (isSilent) return unavailable("timeout");
    if (random.chance(faults.lies)) return unavailable("no_answer");
    if (random.chance(faults.untilLater)) return { kind: "refused", reason: "cooling off", until: until() };
    if (random.chance(faults.refuses)) return { kind: "refused", reason: null, until: null };
    return { kind: "allowed" };
  };
  return {
    questions,
    goAway: (millis) => {
      awayUntil = clock.elapsed() + millis;
    },
    calmDown: () => {
      faults = { refuses: 0, untilLater: 0, silent: 0, lies: 0 };
      awayUntil = 0;
    },
    ask: async (_owner, { timeoutMs }, { eventId, phoneNumber }) => {
      const at = clock.elapsed();
      const isAway = at < awayUntil;
      const isSilent = isAway || random.chance(faults.silent);
      const answer = answerOf(isSilent);
      questions.set(eventId, { phoneNumber, at, answer: answer.kind });
      await clock.sleep(isSilent && !isAway ? timeoutMs : random.between(1, timeoutMs / 2));
      return { sent: "", answer, millis: clock.elapsed() - at, status: null, text: null };
    },
  };
}
