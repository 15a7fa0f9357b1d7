import { z } from "zod";
import { callListRecord } from "./call.ts";
import { explanation } from "./campaign-story.ts";
import { contactStatus } from "./contact.ts";
import { answer, callIdOrNull, type DeepReadonly, idOf, instant } from "./fields.ts";
import { routes } from "./route.ts";
import { listOfNumber } from "./suppression-list.ts";

const numberVerdict = explanation
  .extend({ contactId: idOf("ctc").nullable().describe("null: an import refused the number") })
  .meta({ id: "NumberVerdict", examples: [] });

const numberContact = z.object({
  campaignId: idOf("cmp").describe("Id of its campaign"),
  contactId: idOf("ctc").describe("Id of the contact"),
  name: z.string().nullable().describe("Name of the contact; null: none was given"),
  status: contactStatus.describe("How far the campaign has come with it"),
});

const suppression = z
  .object({
    reason: z.string().nullable().describe("Why it is not called; null: nobody said"),
    createdAt: instant.describe("Since when it is on the list; ISO 8601, UTC"),
    callId: callIdOrNull.describe("The latest call that put it there or asked for it; null: none"),
    list: listOfNumber
      .omit({ asOf: true })
      .optional()
      .describe("Another list that has it; absent: the do-not-call list"),
  })
  .nullable()
  .describe("Its entry of the do-not-call list, else of another list; null: none has it");

const number = z
  .object({
    phoneNumber: z.string().describe("The number as it was asked for"),
    suppression,
    contacts: z.array(numberContact).describe("Contacts with this number, newest first"),
    calls: z.array(callListRecord).describe("Calls to this number, newest first"),
    verdicts: z
      .array(numberVerdict)
      .describe("Why each contact is as it is now, and which imports refused the number"),
  })
  .meta({
    id: "NumberHistory",
    examples: [{ phoneNumber: "+905321112233", suppression: null, contacts: [], calls: [], verdicts: [] }],
  });
export type NumberRecord = DeepReadonly<z.infer<typeof number>>;

export const numberRoutes = routes({
  getNumber: {
    method: "GET",
    path: "/api/v1/numbers/:phoneNumber",
    params: {
      phoneNumber:
        "The number, E.164, with its + as %2B or as it is; of one that an import refused the text of its file",
    },
    tag: "history",
    summary: "Why this number was, or was not, called",
    description:
      "Its entry of the do-not-call list, the contacts that have it, the calls to it, and for each contact why it is as it is now; newest first, at most 200 of each. Of a number that an import refused, as its file had it, a verdict tells; of each import the first 100 refused rows are known. A number that nobody knows has empty lists. Contacts and verdicts need the scope campaigns:read and are empty without it.",
    scope: "calls:read",
    answers: { 200: answer(number) },
  },
});
