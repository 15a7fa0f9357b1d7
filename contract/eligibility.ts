import { z } from "zod";
import { answer, count, type DeepReadonly, instant, KIB, longText, wholeNumber } from "./fields.ts";
import { routes } from "./route.ts";
import { httpStatus } from "./webhook.ts";

const ASKED_URL = "Address that is asked: https, like the address of webhooks";
const ASKED_FOR = "Milliseconds until it must have answered";

const url = longText(2 * KIB).refine(
  (text) => URL.canParse(text) && ["http:", "https:"].includes(new URL(text).protocol),
  { message: "Must be an https URL" },
);

/** Of a policy, or of a campaign in its place. */
export const eligibilityCheck = z.strictObject({
  url: url.describe(ASKED_URL),
  timeoutMs: wholeNumber(500, 5_000).default(2_000).describe(`${ASKED_FOR}; left out: 2000`),
});

export const shownEligibilityCheck = z.object({
  url: z.string().describe(ASKED_URL),
  timeoutMs: count.describe(ASKED_FOR),
});

const testBody = z
  .strictObject({ url: url.optional().describe("Address to ask; left out: that of the policy") })
  .nullish()
  .meta({ id: "EligibilityTestRequest", examples: [{ url: "https://crm.example.com/may-call" }] });

const test = z
  .object({
    status: httpStatus,
    millis: z.number().describe("Milliseconds from the question to the end of the answer"),
    answer: z
      .enum(["allowed", "refused", "unavailable"])
      .describe("What it means; `unavailable`: nothing that counts"),
    reason: z.string().nullable().describe("Why it is refused, as it says; null: it does not say"),
    until: instant
      .nullable()
      .describe("Until when it is refused; ISO 8601, UTC; null: for good, or it is not"),
    why: z
      .string()
      .nullable()
      .describe(
        "Why the answer does not count, in a word: `timeout`, `status_500`, `not_json`, …; null: it counts",
      ),
    follows: z
      .enum(["dialled", "skipped", "held", "asked_again"])
      .describe(
        "What would follow for a contact of a campaign; `asked_again`: after 30 seconds, then less often",
      ),
    text: z.string().nullable().describe("The answer as it came, at most 16 KiB; null: none came"),
    question: z.string().describe("The body of the question, about a person who does not exist"),
  })
  .meta({
    id: "EligibilityTest",
    examples: [
      {
        status: 200,
        millis: 84,
        answer: "refused",
        reason: "has paid",
        until: null,
        why: null,
        follows: "skipped",
        text: '{"allowed": false, "reason": "has paid"}',
        question: '{"event":"call.eligibility","data":{…}}',
      },
    ],
  });
export type EligibilityTestRecord = DeepReadonly<z.infer<typeof test>>;

export const eligibilityRoutes = routes({
  testEligibility: {
    method: "POST",
    path: "/api/v1/policy/eligibility/test",
    tag: "policy",
    summary: "Asks an address now whether somebody who does not exist may be called",
    description: "Signed like a real question. Nothing is stored, and nothing follows.",
    scope: "admin",
    body: testBody,
    answers: { 200: answer(test) },
    errors: ["CONCURRENCY_LIMIT_REACHED"],
  },
});
