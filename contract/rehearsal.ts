import { z } from "zod";
import { RUN_WARNINGS } from "../domain/rehearsal/rehearsal.ts";
import { endedFor } from "./call.ts";
import { callMessage } from "./conversation.ts";
import {
  answer,
  anyValue,
  assistantId,
  count,
  createdAt,
  type DeepReadonly,
  deletedRecord,
  idOf,
  instant,
  label,
  list,
  noBody,
  pageFields,
  reference,
  squadIdOrNull,
  wholeNumber,
} from "./fields.ts";
import { expectation, expectations, PASS_AT, passAt, rehearsalCase } from "./rehearsal-case.ts";
import { routes } from "./route.ts";

const MOST_BODY_BYTES = 1_048_576;

const NAME = "Name of the rehearsal";
const VERSION =
  "What is rehearsed: `draft`, `published`, or the number of a published version, counted from 1; of a squad, of all its assistants";
const BASELINE =
  "true: the published version of the assistant is rehearsed beside it, with the tools of today";
const REPEAT = "Number of times that each case is played, 1 to 5";
const MAX_TOKENS =
  "Number of tokens that all runs together may read and write; beyond it the rest is cancelled";
const EXPECT_ALL = "What must be so in every case, besides its own, at most 50";

const version = z.union([z.enum(["draft", "published"]), wholeNumber(1, 1_000_000)], {
  error: "Must be draft, published or the number of a version",
});

const rehearsalBody = z
  .strictObject({
    name: label.describe(NAME),
    assistantId: reference.nullish().describe("Id of the assistant that is rehearsed; or give a squadId"),
    squadId: reference.nullish().describe("Id of the squad that is rehearsed"),
    version: version.default("draft").describe(`${VERSION} (default draft)`),
    baseline: z.boolean().default(false).describe(`${BASELINE} (default false)`),
    cases: z.array(rehearsalCase).min(1).max(50).describe("What is played, 1 to 50"),
    expect: expectations.nullish().describe(EXPECT_ALL),
    repeat: wholeNumber(1, 5).default(1).describe(`${REPEAT} (default 1)`),
    passAt: passAt.default(1).describe(`${PASS_AT} (default 1)`),
    maxTokens: wholeNumber(1_000, 10_000_000).default(500_000).describe(`${MAX_TOKENS} (default 500000)`),
  })
  .superRefine((given, context) => {
    const wrong = (path: (string | number)[], message: string) =>
      context.addIssue({ code: "custom", path, message });
    if (!given.assistantId && !given.squadId) wrong(["assistantId"], "Needs an assistantId or a squadId");
    if (given.assistantId && given.squadId) wrong(["squadId"], "Must not be given with an assistantId");
    const names = given.cases.map(({ name }) => name);
    names.forEach((name, index) => {
      if (names.indexOf(name) < index) wrong(["cases", index, "name"], "Must not name two cases alike");
    });
    given.cases.forEach(({ expect }, index) => {
      if ((expect ?? []).length + (given.expect ?? []).length === 0)
        wrong(["cases", index, "expect"], "Must expect something");
    });
  })
  .meta({
    id: "RehearsalRequest",
    examples: [
      {
        name: "Shorter greeting",
        assistantId: "ast_01k4b2s9h3e8t9v0w1x2y3z4a5",
        cases: [
          {
            name: "confirms",
            caller: { says: ["Yes, I will come"] },
            contact: { name: "Deniz" },
            expect: [{ outcome: { confirmed: true } }, { neverSays: ["discount"] }],
          },
        ],
      },
    ],
  });
/** As a client gives it. */
export type RehearsalRequest = DeepReadonly<z.input<typeof rehearsalBody>>;
/** As it is checked. */
export type RehearsalBody = DeepReadonly<z.output<typeof rehearsalBody>>;

const lane = z
  .enum(["candidate", "baseline"])
  .describe("`candidate`: the version that is rehearsed; `baseline`: the published one");
const runStatus = z.enum(["waiting", "running", "passed", "failed", "error", "cancelled"]);
const caseName = z.string().nullable().describe("Name of the case; null: erased");

const summaryFields = {
  id: idOf("rhl").describe("Id of the rehearsal"),
  name: z.string().describe(NAME),
  assistantId: assistantId.nullable().describe("Id of the assistant; null: of a squad"),
  squadId: squadIdOrNull,
  version: version.describe(VERSION),
  baseline: z.boolean().describe(BASELINE),
  repeat: wholeNumber(1, 5).describe(REPEAT),
  maxTokens: count.describe(MAX_TOKENS),
  status: z.enum(["running", "done", "cancelled"]).describe("`running`: also while it waits for its turn"),
  waitingFor: z
    .enum(["tokens"])
    .nullable()
    .describe(
      "tokens: those of the plan are used up for this day; after 24 hours it is cancelled; null: nothing",
    ),
  endedBecause: z
    .enum(["finished", "cancelled", "max_tokens", "plan_tokens", "erased"])
    .nullable()
    .describe(
      "`max_tokens`, `plan_tokens`: those were used up; `erased`: a call that it names was; null: it has not ended",
    ),
  progress: z.number().min(0).max(1).describe("Share of its runs that are over, from 0 to 1"),
  passed: count.describe("Number of the candidate's runs in which every expectation held"),
  failed: count.describe("Number of the candidate's runs in which one did not"),
  errors: count.describe("Number of the candidate's runs of which nobody knows: a model failed"),
  passRate: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe("Share of the candidate's ended runs that passed, from 0 to 1; null: none has ended"),
  byCase: z
    .array(
      z.object({
        case: caseName,
        lane,
        passed: count.describe("Number of its runs that passed"),
        failed: count.describe("Number of its runs that failed"),
        errors: count.describe("Number of its runs of which nobody knows"),
        waiting: count.describe("Number of its runs that are not over"),
        cancelled: count.describe("Number of its runs that were cancelled"),
        isPassed: z
          .boolean()
          .nullable()
          .describe("Whether enough of its runs passed; null: it depends on those that are not over"),
      }),
    )
    .describe("By case and lane, in the order of the cases"),
  tokens: z
    .object({
      inputTokens: count.describe("Number of tokens that models read"),
      outputTokens: count.describe("Number of tokens that models wrote"),
    })
    .describe("Used by all runs so far, with personas and analyses"),
  draftHash: z
    .string()
    .describe("SHA-256, in hex, of everything that the candidate speaks with; publish compares it"),
  erased: z.boolean().describe("true: a call that it names was erased, and with it all words"),
  createdAt,
  endedAt: instant.nullable().describe("When it ended; ISO 8601, UTC; null: it has not"),
  actor: z.string().describe("Who began it: id of an API key, or of the user of a session"),
};

const exampleSummary = {
  id: "rhl_01k4b2s9h3e8t9v0w1x2y3z4a5",
  name: "Shorter greeting",
  assistantId: "ast_01k4b2s9h3e8t9v0w1x2y3z4a5",
  squadId: null,
  version: "draft",
  baseline: false,
  repeat: 1,
  maxTokens: 500_000,
  status: "done",
  waitingFor: null,
  endedBecause: "finished",
  progress: 1,
  passed: 1,
  failed: 0,
  errors: 0,
  passRate: 1,
  byCase: [
    {
      case: "confirms",
      lane: "candidate",
      passed: 1,
      failed: 0,
      errors: 0,
      waiting: 0,
      cancelled: 0,
      isPassed: true,
    },
  ],
  tokens: { inputTokens: 900, outputTokens: 60 },
  draftHash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  erased: false,
  createdAt: "2026-09-01T10:00:00.000Z",
  endedAt: "2026-09-01T10:00:02.000Z",
  actor: "key_01k4b2s9h3e8t9v0w1x2y3z4a5",
};

const rehearsalSummary = z.object(summaryFields).meta({ id: "RehearsalSummary", examples: [exampleSummary] });
export type RehearsalSummary = DeepReadonly<z.infer<typeof rehearsalSummary>>;

const rehearsalRecord = z
  .object({
    ...summaryFields,
    cases: z
      .array(z.custom<RehearsalRequest["cases"][number]>().meta({ type: "object" }))
      .nullable()
      .describe("The cases as they were given; null: erased"),
    passAt: passAt.nullable().describe(`${PASS_AT}, where a case says nothing; null: erased`),
    expect: z.array(expectation).nullable().describe(`${EXPECT_ALL}; null: erased`),
  })
  .meta({
    id: "Rehearsal",
    examples: [
      {
        ...exampleSummary,
        cases: [
          {
            name: "confirms",
            caller: { says: ["Yes, I will come"] },
            expect: [{ outcome: { confirmed: true } }],
          },
        ],
        passAt: 1,
        expect: [],
      },
    ],
  });
export type RehearsalRecord = DeepReadonly<z.infer<typeof rehearsalRecord>>;

const nowhere = "null: it is not over, or erased";
const runFields = {
  runId: idOf("run").describe("Id of the run; the model sees it as that of the call"),
  case: caseName,
  lane,
  n: wholeNumber(1, 5).describe("Which repeat of the case, counted from 1"),
  status: runStatus.describe(
    "`failed`: an expectation did not hold; `error`: a model failed, so that nobody knows",
  ),
  problem: z.string().nullable().describe("What went wrong, in a sentence; null: nothing"),
  failures: z
    .array(
      z.object({
        expect: expectation.describe("The expectation, as it was given"),
        got: anyValue.describe("What there was instead: any JSON"),
        messageIndex: count
          .nullable()
          .describe("Index of the message that is to blame, counted from 0; null: none alone"),
      }),
    )
    .describe("Expectations that did not hold"),
  outcome: z
    .object({
      fields: z
        .record(z.string(), z.union([z.boolean(), z.string(), z.number(), z.null()]))
        .describe("Values by name of the field; null: the call does not prove one"),
      success: z.boolean().nullable().describe("Whether the call succeeded; null: unknown, or nobody says"),
    })
    .nullable()
    .describe("What the call brought home; null: nothing was asked, or it is not over, or erased"),
  endReason: endedFor,
  turns: count.nullable().describe(`Number of turns of the customer; ${nowhere}`),
  toolCalls: count.nullable().describe(`Number of tools that were asked; ${nowhere}`),
  inputTokens: count.nullable().describe(`Number of tokens that models read; ${nowhere}`),
  outputTokens: count.nullable().describe(`Number of tokens that models wrote; ${nowhere}`),
  firstTokenMs: count
    .nullable()
    .describe(
      `Milliseconds until the model's first word, half of the answers stayed within; null: no model was asked`,
    ),
  warnings: z
    .array(z.enum(RUN_WARNINGS))
    .describe(
      "`scripted_persona`: the persona was played without a model; `tool_not_answered`: the model was told that a tool cannot be used here; `max_turns`, `too_long`: the customer hung up at a bound; `caller_not_finished`: the call ended before the customer had done everything",
    ),
  startedAt: instant.nullable().describe("When it was begun; ISO 8601, UTC; null: not yet"),
  endedAt: instant.nullable().describe("When it was over; ISO 8601, UTC; null: not yet"),
};

const runSummary = z.object(runFields).meta({ id: "RehearsalRunSummary" });
export type RehearsalRunSummary = DeepReadonly<z.infer<typeof runSummary>>;

const runRecord = z
  .object({
    ...runFields,
    messages: z.array(callMessage).describe("The conversation in order; empty: not over, or erased"),
  })
  .meta({ id: "RehearsalRun" });
export type RehearsalRunRecord = DeepReadonly<z.infer<typeof runRecord>>;

const scope = "assistants:*";
const errors = ["REHEARSAL_NOT_FOUND"] as const;
const runErrors = [...errors, "RUN_NOT_FOUND"] as const;

export const rehearsalRoutes = routes({
  createRehearsal: {
    method: "POST",
    path: "/api/v1/rehearsals",
    tag: "rehearsals",
    summary: "Plays cases against an assistant or a squad; nobody is called",
    description:
      "The conversation is the one that calls have, and only the language model is asked: no carrier, no tool, no webhook, no credits. " +
      "At most 20 rehearsals of an owner are under way at once. " +
      "What the assistant speaks with is read now; later changes are not rehearsed. A case with a `callId` also needs the scope `calls:read`.",
    scope,
    body: rehearsalBody,
    mostBytes: MOST_BODY_BYTES,
    answers: { 202: answer(rehearsalRecord) },
    idempotent: true,
    errors: [
      "ASSISTANT_NOT_FOUND@400",
      "SQUAD_NOT_FOUND@400",
      "CALL_NOT_FOUND@400",
      "CALL_NOT_ENDED",
      "CONTENT_ERASED",
      "NOTHING_TO_REHEARSE",
      "INSUFFICIENT_CREDITS",
      "CONCURRENCY_LIMIT_REACHED",
    ],
  },
  listRehearsals: {
    method: "GET",
    path: "/api/v1/rehearsals",
    tag: "rehearsals",
    summary: "Rehearsals, newest first, without their cases",
    scope,
    query: z.object(pageFields),
    answers: { 200: list(rehearsalSummary) },
  },
  getRehearsal: {
    method: "GET",
    path: "/api/v1/rehearsals/:id",
    tag: "rehearsals",
    summary: "A rehearsal, with its cases as they were given",
    scope,
    answers: { 200: answer(rehearsalRecord) },
    errors,
  },
  listRuns: {
    method: "GET",
    path: "/api/v1/rehearsals/:id/runs",
    tag: "rehearsals",
    summary: "Its runs by case, lane and repeat, without their messages",
    scope,
    query: z.object({
      ...pageFields,
      case: z.string().max(255).optional().describe("Only runs of the case with this name"),
      lane: lane.optional(),
      status: runStatus.optional().describe("Only runs with this status"),
    }),
    answers: { 200: list(runSummary) },
    errors,
  },
  getRun: {
    method: "GET",
    path: "/api/v1/rehearsals/:id/runs/:runId",
    tag: "rehearsals",
    summary: "A run, with everything that was said",
    scope,
    answers: { 200: answer(runRecord) },
    errors: runErrors,
  },
  cancelRehearsal: {
    method: "POST",
    path: "/api/v1/rehearsals/:id/cancel",
    tag: "rehearsals",
    summary: "Cancels the runs that are not over; one that has ended stays as it is",
    scope,
    body: noBody,
    answers: { 200: answer(rehearsalRecord) },
    errors,
  },
  deleteRehearsal: {
    method: "DELETE",
    path: "/api/v1/rehearsals/:id",
    tag: "rehearsals",
    summary: "Deletes a rehearsal with all its runs; cancels it first",
    scope,
    answers: { 200: answer(deletedRecord("rhl")) },
    errors,
  },
});
