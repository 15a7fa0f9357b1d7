import { z } from "zod";
import {
  answer,
  bytes,
  callId,
  campaignIdOrNull,
  contactIdOrNull,
  count,
  createdAt,
  type DeepReadonly,
  e164,
  idOf,
  instant,
  instantInput,
  list,
  pageFields,
} from "./fields.ts";
import { policy, policyBody } from "./policy.ts";
import { file, routes } from "./route.ts";

const POLICY =
  "`in_force`: each dial is held against the version that was in force when it was judged; `current`: against the one of now; a policy: against that one";
const FROM = "Only dials from this time on; ISO 8601 with offset; null: from the first one";
const UNTIL = "Only dials before this time; ISO 8601 with offset; null: until now";
const RULE = "Rule that the dial broke";

const rule = z.enum([
  "consent",
  "oneCallAtATime",
  "attemptsPerNumber",
  "callableHours",
  "zone_unknown",
  "listAge",
  "eligibility",
]);

const verificationBody = z
  .strictObject({
    policy: z
      .union([z.enum(["in_force", "current"]), policyBody])
      .default("in_force")
      .describe(`${POLICY}; left out: in_force`),
    from: instantInput.nullish().describe(FROM),
    until: instantInput.nullish().describe(UNTIL),
  })
  .refine(({ from, until }) => !from || !until || from < until, {
    message: "Must be after from",
    path: ["until"],
  })
  .meta({
    id: "VerificationRequest",
    examples: [{}, { policy: "current", from: "2026-09-01T00:00:00.000Z" }],
  });

const fact = z.union([z.string(), z.number()]).nullable();

const violation = z
  .object({
    rule: rule.describe(RULE),
    at: instant.describe("When the dial was judged; ISO 8601, UTC"),
    campaignId: campaignIdOrNull,
    contactId: contactIdOrNull,
    callId,
    phoneNumber: e164.nullable().describe("Number that was dialled; null: it was erased"),
    value: fact.describe(
      "What the rule finds: number of dials before in the period, a local time, the live call, a date",
    ),
    limit: fact.describe("What the rule compares it with: a number of dials, hours, days"),
    event: z
      .object({
        stream: z.string().describe("Stream of the campaign, or of a single call"),
        revision: count.describe("Place in its stream, counted from 0"),
        at: instant.describe("When it was told, after the dial was judged; ISO 8601, UTC"),
      })
      .describe("Event that says that it was dialled"),
  })
  .meta({ id: "Violation" });
export type ViolationRecord = DeepReadonly<z.infer<typeof violation>>;

const found = {
  count: count.describe("Number of violations"),
  byRule: z
    .record(z.string(), count.describe("Number of violations of the rule"))
    .describe("By rule; one that nothing broke is left out"),
};

const fields = {
  id: idOf("pvf").describe("Id of the verification"),
  status: z
    .enum(["queued", "running", "done", "failed"])
    .describe("`queued`: it waits for others; `running`: the log is read; `failed`: `problem` says why"),
  progress: z.number().min(0).max(1).describe("Share of the log that has been read, from 0 to 1"),
  policy: z.union([z.enum(["in_force", "current"]), policy]).describe(POLICY),
  version: count
    .nullable()
    .describe(
      "Number of the version that `current` was when it began, 0: there was none; null: another policy",
    ),
  from: instant.nullable().describe(FROM),
  until: instant.describe("Only dials before this time; ISO 8601, UTC"),
  dials: count.describe("Number of dials that were judged, so far"),
  unverifiable: z
    .array(
      z.object({
        rule: rule.describe("Rule that cannot be judged"),
        why: z
          .enum(["no_evidence", "zone_not_told", "zone_data"])
          .describe(
            "`no_evidence`: dials of before the rule stored none; `zone_not_told`: whether a contact had a zone of its own; `zone_data`: it was judged by another table of zones",
          ),
        count: count.describe("Number of dials of which that holds"),
      }),
    )
    .describe("What the log does not tell; no violations"),
  problem: z.string().nullable().describe("Why it failed; null: it has not"),
  createdAt,
  completedAt: instant.nullable().describe("When it was done, or failed; ISO 8601, UTC; null: not yet"),
};

const example = {
  id: "pvf_01k4b2s9h3e8t9v0w1x2y3z4a5" as const,
  status: "done" as const,
  progress: 1,
  policy: "in_force" as const,
  version: null,
  from: null,
  until: "2026-09-01T10:00:00.000Z",
  dials: 12_000,
  unverifiable: [{ rule: "consent" as const, why: "no_evidence" as const, count: 40 }],
  problem: null,
  createdAt: "2026-09-01T10:00:00.000Z",
  completedAt: "2026-09-01T10:00:04.000Z",
};

const summary = z
  .object({ ...fields, violations: z.object(found).describe("What was found") })
  .meta({ id: "VerificationSummary", examples: [{ ...example, violations: { count: 0, byRule: {} } }] });

const record = z
  .object({
    ...fields,
    violations: z
      .object({
        ...found,
        items: z.array(violation).describe("The first 1,000, in order of time; violations.csv has more"),
      })
      .describe("What was found"),
  })
  .meta({ id: "Verification", examples: [{ ...example, violations: { count: 0, byRule: {}, items: [] } }] });
export type VerificationRecord = DeepReadonly<z.infer<typeof record>>;

export const verificationRoutes = routes({
  verifyPolicy: {
    method: "POST",
    path: "/api/v1/policy/verifications",
    tag: "policy",
    summary: "Holds a policy against every dial in the log",
    description:
      "It runs by itself, also after a restart; its record says how far it is. At most two of an owner are under way at once. Results are kept for 30 days.",
    scope: "admin",
    body: verificationBody,
    answers: { 202: answer(record) },
    errors: ["CONCURRENCY_LIMIT_REACHED"],
  },
  listVerifications: {
    method: "GET",
    path: "/api/v1/policy/verifications",
    tag: "policy",
    summary: "Verifications of the last 30 days, newest first",
    scope: "admin",
    query: z.object(pageFields),
    answers: { 200: list(summary) },
  },
  getVerification: {
    method: "GET",
    path: "/api/v1/policy/verifications/:id",
    tag: "policy",
    summary: "A verification, with the violations that it found",
    scope: "admin",
    answers: { 200: answer(record) },
    errors: ["VERIFICATION_NOT_FOUND"],
  },
  exportViolations: {
    method: "GET",
    path: "/api/v1/policy/verifications/:id/violations.csv",
    tag: "policy",
    summary: "The violations that a verification found, as a CSV file",
    description: "In order of time, the first 100,000.",
    scope: "admin",
    answers: { 200: file("text/csv", "CSV, UTF-8", bytes) },
    errors: ["VERIFICATION_NOT_FOUND"],
  },
});
