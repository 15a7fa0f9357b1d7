import { z } from "zod";
import { parsePhoneNumber } from "../domain/shared/phone-number.ts";
import {
  answer,
  callIdOrNull,
  count,
  createdAt,
  type DeepReadonly,
  deleted,
  e164,
  instant,
  label,
  list,
  pageFields,
  phoneNumber,
  text,
} from "./fields.ts";
import { routes } from "./route.ts";
import { listOfNumber } from "./suppression-list.ts";

const NUMBER = "The number that is not called, E.164";
const ASKED_NUMBER = "One number, E.164, with its + as %2B: which lists have it";
const reasonOf = label.nullable().optional().describe("Why it is not called, 1 to 255 characters");

export const MAX_SUPPRESSIONS = 10_000;

/**
 * A number that is not E.164 is rejected later and reported; here it only has to be text.
 * `number`: its parsed form.
 */
export const suppressionItem = z
  .strictObject({
    phoneNumber: text(0, 255).describe("In E.164 format; any other is rejected and reported"),
    reason: reasonOf,
  })
  .meta({ id: "SuppressionItem" })
  .transform((item) => ({ ...item, number: parsePhoneNumber(item.phoneNumber) }));

export type SuppressionItem = z.infer<typeof suppressionItem>;

const always = () => true;
const given = (body: unknown, name: string) =>
  typeof body === "object" && body !== null && Reflect.get(body, name) !== undefined;
const isSomething = (body: unknown) => given(body, "phoneNumber") || given(body, "items");
const isOneThing = (body: unknown) =>
  !given(body, "items") || !(given(body, "phoneNumber") || given(body, "reason"));

export const suppressionBodyOf = <List extends z.ZodType>(list: List) =>
  z
    .strictObject({
      phoneNumber: phoneNumber.optional().describe(NUMBER),
      reason: reasonOf,
      items: list.optional(),
    })
    .refine(isSomething, { path: ["phoneNumber"], message: "Required, or items", when: always })
    .refine(isOneThing, {
      path: ["items"],
      message: "Stands in place of phoneNumber and reason",
      when: always,
    });

const COUNT = "Must hold 1 to 10,000 numbers";
const items = z
  .array(suppressionItem)
  .min(1, COUNT)
  .max(MAX_SUPPRESSIONS, COUNT)
  .describe("Many numbers at once, in place of phoneNumber and reason")
  .transform((list): Iterable<SuppressionItem> => list);
/** For a list whose items are checked one by one. */
export const anyItems = z.array(z.unknown()).min(1, COUNT).max(MAX_SUPPRESSIONS, COUNT);

const suppressionBody = suppressionBodyOf(items).meta({
  id: "SuppressionRequest",
  examples: [{ phoneNumber: "+905321112233", reason: "Asked us to stop" }],
});

const source = z.enum(["call", "api", "import"]);
const SOURCE =
  "call: somebody asked for it on a call; api: put there one by one; import: put there with many";
const reason = z.string().nullable();
const REASON = "Why it is not called; null: not said";

export const suppressionFields = {
  phoneNumber: e164.describe(NUMBER),
  reason: reason.describe(REASON),
  source: source.describe(SOURCE),
  callId: callIdOrNull.describe("The latest call on which somebody asked for it; null: none"),
};

const entry = {
  phoneNumber: "+905321112233",
  reason: "Asked on the call not to be called again",
  source: "call",
  callId: "call_01k4b2s9h3e8t9v0w1x2y3z4a5",
  createdAt: "2026-09-01T10:00:00.000Z",
} as const;

const suppression = z
  .object({ ...suppressionFields, createdAt })
  .meta({ id: "Suppression", examples: [entry] });
export type SuppressionRecord = DeepReadonly<z.infer<typeof suppression>>;
export type SuppressionSource = SuppressionRecord["source"];

const suppressionChange = z
  .object({
    action: z
      .enum(["listed", "taken_over", "removed"])
      .describe(
        "listed: it came onto the list; taken_over: it was there, and a call asked for it as well; removed: it was taken off",
      ),
    reason: reason.describe("Why, as it was said then; null: not said"),
    source: source.describe(SOURCE),
    by: z.string().nullable().describe("Id of the API key that did it; null: a call, or nobody knows"),
    callId: callIdOrNull.describe("The call on which somebody asked for it; null: none"),
    at: instant.describe("When it was done; ISO 8601, UTC"),
  })
  .meta({ id: "SuppressionChange" });
export type SuppressionChange = DeepReadonly<z.infer<typeof suppressionChange>>;

const suppressionHistory = z
  .object({
    phoneNumber: suppressionFields.phoneNumber,
    listed: z.boolean().describe("true: it is not called; false: it was on the list, and was taken off"),
    reason: suppressionFields.reason,
    source: source.nullable().describe(`${SOURCE}; null: it is not on the list`),
    callId: suppressionFields.callId,
    createdAt: instant
      .nullable()
      .describe("Since when it is on the list; ISO 8601, UTC; null: it is not on it"),
    history: z.array(suppressionChange).describe("What was done with it, newest first, at most 100"),
  })
  .meta({
    id: "SuppressionHistory",
    examples: [
      {
        ...entry,
        listed: true,
        history: [
          {
            action: "listed",
            reason: entry.reason,
            source: "call",
            by: null,
            callId: entry.callId,
            at: entry.createdAt,
          },
        ],
      },
    ],
  });
export type SuppressionHistoryRecord = DeepReadonly<z.infer<typeof suppressionHistory>>;

const rejectedItem = z.object({
  index: count.describe("Place in the request, counted from 0"),
  phoneNumber: z.string().describe("The number as it was given"),
  reason: z.enum(["not_e164", "not_possible"]).describe("Why it can be no number"),
});

const suppressionReport = z
  .object({
    added: count.describe("Number of entries that are on the list since now"),
    existing: count.describe(
      "Number of items whose number was on the list already, or stands in an item before",
    ),
    rejected: z
      .object({
        count: count.describe("Number of items that were left out"),
        items: z.array(rejectedItem).describe("The first 100 of them"),
      })
      .describe("Items whose number cannot be one: how many, and the first 100"),
  })
  .meta({ id: "SuppressionReport" });
export type SuppressionReport = DeepReadonly<z.infer<typeof suppressionReport>>;

/** One number, or the report about many. */
const suppressed = answer(z.union([suppression, suppressionReport]));

const suppressionDeleted = z.object({
  phoneNumber: e164.describe("The number that may be called again, E.164"),
  deleted,
});

export const suppressionRoutes = routes({
  addSuppression: {
    method: "POST",
    path: "/api/v1/suppressions",
    tag: "suppressions",
    summary: "Nobody calls this number any more, or these 1 to 10,000",
    scope: "calls:write",
    body: suppressionBody,
    answers: { 200: suppressed, 201: suppressed },
    idempotent: true,
  },
  listSuppressions: {
    method: "GET",
    path: "/api/v1/suppressions",
    tag: "suppressions",
    summary: "Numbers that nobody calls, newest first",
    description:
      "Of the do-not-call list. With `phoneNumber` only its entry, if it has one, and `lists`: every active list on which the number stands, the do-not-call list among them.",
    scope: "calls:read",
    query: z.object({ ...pageFields, phoneNumber: phoneNumber.optional().describe(ASKED_NUMBER) }),
    answers: {
      200: list(suppression).extend({
        lists: z.array(listOfNumber).optional().describe("Given with `phoneNumber`: the lists that have it"),
      }),
    },
  },
  getSuppression: {
    method: "GET",
    path: "/api/v1/suppressions/:phoneNumber",
    tag: "suppressions",
    summary: "One number of the list, and what was done with it",
    description:
      "A number that was taken off is answered, too: `listed` is false. 404: it was never on the list.",
    scope: "calls:read",
    answers: { 200: answer(suppressionHistory) },
    errors: ["SUPPRESSION_NOT_FOUND"],
  },
  deleteSuppression: {
    method: "DELETE",
    path: "/api/v1/suppressions/:phoneNumber",
    tag: "suppressions",
    summary: "The number may be called again",
    description:
      "What was asked for on calls is revoked in their histories first. Should that fail, the number is still on the list: repeat it.",
    scope: "calls:write",
    answers: { 200: answer(suppressionDeleted) },
    errors: ["SUPPRESSION_NOT_FOUND"],
  },
});
