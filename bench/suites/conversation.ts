import { monitorEventLoopDelay } from "node:perf_hooks";
import process from "node:process";
import { asksNotToBeCalled, LISTENED_CHARACTERS } from "../../domain/conversation/intents/opt-out.ts";
import { judgeAnswer } from "../../domain/outcome/judge-answer.ts";
import { askOutcome } from "../../domain/outcome/question.ts";
import { isAnalysable, readTranscript } from "../../domain/outcome/transcript.ts";
import { createPostgresEventStore } from "../../infrastructure/log/postgres/event-store.ts";
import { silentLogger } from "../../simulation/memory/silent.ts";
import { CORPUS, LANGUAGES } from "../../test/domain/conversation/intents/corpus.ts";
import { callOf, OUTCOME } from "../../test/domain/outcome/example-outcome.ts";
import { TEXTS, WISHES } from "../../test/support/doors/hostile.ts";
import { openBenchDatabase } from "../bench-database.ts";
import type { Benchmark, Result, Row } from "../benchmark.ts";
import { ARRIVE_OVER_MILLIS, talkLive } from "../live-conversations.ts";
import { OURS, row } from "../rows.ts";

const COUNT = Number(process.env["CONVERSATION_COUNT"] ?? 300);

/**
 * Live text conversations in one process: simulated callees at the pace of speech, the scripted model,
 * a log in PostgreSQL. And what it costs to listen for opt-outs, which is done with each turn, and to
 * analyse a call after its end.
 */
export const benchmark: Benchmark = { name: "conversation", run: ({ log }) => measure(log) };

async function measure(log: (line: string) => void): Promise<Result> {
  const database = await openBenchDatabase();
  const eventStore = createPostgresEventStore(silentLogger, { connection: database.connection });
  log(`${COUNT} conversations arrive within ${ARRIVE_OVER_MILLIS / 1_000} s`);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const answers: number[] = [];
  const used = process.cpuUsage();
  delay.enable();
  await talkLive(eventStore, COUNT, (millis) => answers.push(millis));
  delay.disable();
  const cpu = process.cpuUsage(used);
  const settings = await database.settings();
  await eventStore.close();
  await database.stop();
  return {
    benchmark: "conversation",
    settings: { ...settings, conversations: COUNT, turns: answers.length, model: "scripted" },
    rows: [
      row("event loop, p99", "ms", { [OURS]: delay.percentile(99) / 1e6 }, { atMost: 20 }),
      row(
        "last word of the customer to first token, p50",
        "ms",
        { [OURS]: percentile(answers, 0.5) },
        { atMost: 10 },
      ),
      row(
        "last word of the customer to first token, p95",
        "ms",
        { [OURS]: percentile(answers, 0.95) },
        { atMost: 30 },
      ),
      row("processor time of a conversation", "ms", { [OURS]: (cpu.user + cpu.system) / 1_000 / COUNT }),
      ...listeningRows(),
      analysisRow(),
    ],
  };
}

function listeningRows(): readonly Row[] {
  const usual = CORPUS.map(({ words, language }) => leastMicros(() => asksNotToBeCalled(words, language)));
  const worst = [...TEXTS, ...WISHES].flatMap(({ of }) => {
    const words = of(LISTENED_CHARACTERS);
    return LANGUAGES.map((language) => leastMicros(() => asksNotToBeCalled(words, language), 1));
  });
  return [
    row(
      "listening for an opt-out, a turn of usual length, p50",
      "µs",
      { [OURS]: percentile(usual, 0.5) },
      { atMost: 20 },
    ),
    row("listening for an opt-out, the worst turn at the limit", "µs", { [OURS]: Math.max(...worst) }),
  ];
}

/** What is ours of an analysis, beside the log and the model: the call is read, asked about and judged. */
function analysisRow(): Row {
  const call = callOf(
    Array.from({ length: 5 }, () => [
      { assistant: "We look forward to seeing you on Thursday at ten. Will you come, and how many are you?" },
      { customer: "Yes, two of us will come, but could we make it half past ten on Friday instead?" },
    ]).flat(),
  );
  const value = (of: unknown) => ({ messages: [1, 3], value: of });
  const answer = {
    summary: "They come on Friday.",
    fields: {
      confirmed: value(true),
      reason: value("toothache"),
      price: value(12.5),
      persons: value(2),
      mood: value("glad"),
      birthday: value("1980-02-29"),
      newTime: value("2026-09-04T10:30:00+03:00"),
    },
  };
  const analyse = () => {
    if (!isAnalysable(call)) throw new Error("nobody would ask");
    const transcript = readTranscript(call);
    askOutcome(OUTCOME, transcript, { timezone: "Europe/Istanbul", language: "en" });
    return judgeAnswer(OUTCOME, transcript, answer);
  };
  if (Object.keys(analyse().evidence).length < OUTCOME.fields.length) throw new Error("not all is proven");
  const micros = leastMicros(analyse);
  return row(
    "analysis of a call of 10 messages, beside the model",
    "µs",
    { [OURS]: micros },
    { atMost: 250 },
  );
}

/** Microseconds of one run, of the best of some tries: a busy machine does not count. */
function leastMicros(work: () => unknown, runs = 100): number {
  const tries = Array.from({ length: 20 }, () => {
    const began = performance.now();
    for (let run = 0; run < runs; run += 1) work();
    return ((performance.now() - began) * 1_000) / runs;
  });
  return Math.min(...tries);
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}
