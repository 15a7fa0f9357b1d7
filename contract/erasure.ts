import { z } from "zod";
import {
  answer,
  count,
  type DeepReadonly,
  e164,
  idOf,
  instant,
  list,
  pageFields,
  phoneNumber,
  reference,
} from "./fields.ts";
import { routes } from "./route.ts";

const CALL = "Id of the call whose words are erased";
const NUMBER = "Number, E.164: the words of every call to it are erased";

const erasureBody = z
  .strictObject({
    callId: reference.nullish().describe(CALL),
    phoneNumber: phoneNumber.nullish().describe(NUMBER),
  })
  .refine(({ callId = null, phoneNumber: number = null }) => (callId === null) !== (number === null), {
    message: "Must be given alone: either callId or phoneNumber",
    path: ["callId"],
  })
  .meta({ id: "ErasureRequest", examples: [{ phoneNumber: "+905321112233" }] });

const erasure = z
  .object({
    id: idOf("ers").describe("Id of the erasure"),
    kind: z
      .enum(["call", "phone_number", "retention"])
      .describe("What was named: a call, or a number; `retention`: calls that the account keeps no longer"),
    callId: idOf("call").nullable().describe(`${CALL}; null: none was named`),
    phoneNumber: e164.nullable().describe(`${NUMBER}; null: none was named`),
    status: z
      .enum(["running", "done"])
      .describe(
        "`done`: no copy that the service holds has a word any more; `running`: it goes on by itself",
      ),
    calls: count.describe("Number of calls whose words it erases"),
    recordings: count.describe("Number of recordings among them"),
    deliveries: count.describe("Number of webhook messages that were emptied"),
    createdAt: instant.describe("When it began; ISO 8601, UTC"),
    completedAt: instant.nullable().describe("When it was done; ISO 8601, UTC; null: not yet"),
  })
  .meta({
    id: "Erasure",
    examples: [
      {
        id: "ers_01k4b2s9h3e8t9v0w1x2y3z4a5",
        kind: "phone_number",
        callId: null,
        phoneNumber: "+905321112233",
        status: "done",
        calls: 2,
        recordings: 1,
        deliveries: 4,
        createdAt: "2026-09-01T10:00:00.000Z",
        completedAt: "2026-09-01T10:00:00.300Z",
      },
    ],
  });
export type ErasureRecord = DeepReadonly<z.infer<typeof erasure>>;

export const erasureRoutes = routes({
  eraseCallContent: {
    method: "DELETE",
    path: "/api/v1/calls/:callId/content",
    tag: "personal data",
    summary: "Erases what was said on a call, for good",
    scope: "admin",
    answers: { 200: answer(erasure) },
    errors: ["CALL_NOT_FOUND", "CALL_IS_LIVE"],
  },
  erase: {
    method: "POST",
    path: "/api/v1/erasures",
    tag: "personal data",
    summary: "Erases what was said on a call, or on all calls to a number, for good",
    scope: "admin",
    body: erasureBody,
    answers: { 201: answer(erasure) },
    idempotent: true,
    errors: ["CALL_IS_LIVE", "READ_MODEL_BEHIND"],
  },
  listErasures: {
    method: "GET",
    path: "/api/v1/erasures",
    tag: "personal data",
    summary: "What was erased, newest first",
    scope: "admin",
    query: z.object(pageFields),
    answers: { 200: list(erasure) },
  },
});
