import type {
  AnalysisModels,
  AnalysisQuestion,
  AnalysisReply,
} from "../../application/ports/analysis-model.ts";
import { ModelFailure } from "../../application/ports/language-model.ts";
import type { OutcomeSettings } from "../../domain/outcome/settings.ts";
import type { AnalysisFaults } from "./scenario.ts";
import type { SeededRandom } from "./seeded-random.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** What simulated assistants ask after a call. */
export const SIMULATED_OUTCOME: OutcomeSettings = {
  summary: true,
  fields: [
    { name: "talked", type: "boolean", description: "Whether the customer said something" },
    { name: "words", type: "integer", description: "How many messages the customer said" },
  ],
  success: { field: "talked", in: [true] },
};

const TOKENS = { name: "simulated", inputTokens: 100, outputTokens: 10 };
/** More than a try has. */
const SILENT_MILLIS = 45_000;

export type FaultyAnalysisModels = {
  readonly models: AnalysisModels;
  /** From now on every answer comes, and is right. */
  readonly calmDown: () => void;
};

/**
 * A model that reads the transcript honestly, behind a server that throttles, fails, says nothing, or answers
 * what does not fit or nobody said; or one in the process that asks.
 */
export function createFaultyAnalysisModels(
  clock: VirtualClock,
  random: SeededRandom,
  given: AnalysisFaults,
): FaultyAnalysisModels {
  let faults: Omit<AnalysisFaults, "atOnce"> = given;
  const isWrong = () => random.chance(faults.wrong);
  const replyTo = (question: AnalysisQuestion, wrong = isWrong()): AnalysisReply => ({
    answer: wrong ? wrongAnswer(random) : answerTo(question),
    model: TOKENS,
  });
  return {
    calmDown: () => {
      faults = { fails: 0, silent: 0, wrong: 0 };
    },
    models: {
      atOnce: async () => (given.atOnce ? (question) => replyTo(question) : null),
      ask: async (_owner, _settings, question, { signal }) => {
        const { promise: aborted, reject } = Promise.withResolvers<never>();
        aborted.catch(() => undefined);
        signal.addEventListener("abort", () => reject(new ModelFailure("aborted", "The request was closed")));
        const isSilent = random.chance(faults.silent);
        const fails = random.chance(faults.fails);
        const wrong = isWrong();
        await Promise.race([clock.sleep(isSilent ? SILENT_MILLIS : random.between(50, 4_000)), aborted]);
        if (fails) throw failureOf(random);
        return replyTo(question, wrong);
      },
    },
  };
}

function failureOf(random: SeededRandom): ModelFailure {
  const kind = random.pick(["throttled", "unavailable", "refused", "cut_off", "garbage"] as const);
  const retryAfter = kind === "throttled" ? random.between(0, 120_000) : null;
  return new ModelFailure(
    kind,
    "The simulated server failed",
    retryAfter,
    kind === "cut_off" ? TOKENS : null,
  );
}

function answerTo({ transcript }: AnalysisQuestion) {
  const messages = transcript.messages.flatMap(({ index, role }) => (role === "customer" ? [index] : []));
  return {
    summary: `${transcript.turns} turns`,
    fields: {
      talked: { value: messages.length > 0, messages },
      words: { value: messages.length, messages: [...messages, 0, 99] },
    },
  };
}

function wrongAnswer(random: SeededRandom): unknown {
  return random.pick([
    undefined,
    null,
    [],
    { fields: 7 },
    { summary: 7, fields: { talked: { value: "yes", messages: [1] }, words: { value: 1.5, messages: "1" } } },
    { summary: "x", fields: { talked: { value: true, messages: [98, 99] } } },
  ]);
}
