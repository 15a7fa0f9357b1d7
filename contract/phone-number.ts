import { z } from "zod";
import {
  answer,
  anyConnectionId,
  createdAt,
  type DeepReadonly,
  deletedRecord,
  e164,
  idOf,
  label,
  list,
  pageFields,
  phoneNumber,
  updatedAt,
} from "./fields.ts";
import { routes } from "./route.ts";

const NUMBER = "The number, E.164";
const LABEL = "A name for it; null: none";
const ACTIVE = "false: no call goes out from it (default true)";
const CARRIER = "Name of the carrier that owns it; null: not set";
const CONNECTION =
  "Connection of kind twilio or asterisk that it calls through; null: the installation's carrier";
const SHARED =
  "true: other programs call from it as well, so calls from it that we do not know prove nothing (default false)";

const settings = {
  label: label.nullable().optional().describe(LABEL),
  active: z.boolean().optional().describe(ACTIVE),
  carrier: label.nullable().optional().describe(CARRIER),
  connectionId: label.nullable().optional().describe(CONNECTION),
  shared: z.boolean().optional().describe(SHARED),
};

const phoneNumberBody = z
  .strictObject({ phoneNumber: phoneNumber.describe(NUMBER), ...settings })
  .meta({ id: "PhoneNumberRequest", examples: [{ phoneNumber: "+905320000000", label: "Reception" }] });

const changePhoneNumberBody = z
  .strictObject({ phoneNumber: phoneNumber.optional().describe(NUMBER), ...settings })
  .meta({ id: "PhoneNumberChanges", examples: [{ active: false }] });

const phoneNumberRecord = z
  .object({
    id: idOf("pn").describe("Id of the phone number"),
    phoneNumber: e164.describe(NUMBER),
    label: z.string().nullable().describe(LABEL),
    active: z.boolean().describe(ACTIVE),
    carrier: z.string().nullable().describe(CARRIER),
    connectionId: anyConnectionId.nullable().describe(CONNECTION),
    shared: z.boolean().describe(SHARED),
    createdAt,
    updatedAt,
  })
  .meta({
    id: "PhoneNumber",
    examples: [
      {
        id: "pn_01k4b2s9h3e8t9v0w1x2y3z4a5",
        phoneNumber: "+905320000000",
        label: "Reception",
        active: true,
        carrier: null,
        connectionId: null,
        shared: false,
        createdAt: "2026-09-01T10:00:00.000Z",
        updatedAt: "2026-09-01T10:00:00.000Z",
      },
    ],
  });
export type PhoneNumberRecord = DeepReadonly<z.infer<typeof phoneNumberRecord>>;

const errors = ["PHONE_NUMBER_NOT_FOUND"] as const;

export const phoneNumberRoutes = routes({
  listPhoneNumbers: {
    method: "GET",
    path: "/api/v1/phone-numbers",
    tag: "phone numbers",
    summary: "Numbers to call from, newest first",
    scope: "phone-numbers:*",
    query: z.object(pageFields),
    answers: { 200: list(phoneNumberRecord) },
  },
  createPhoneNumber: {
    method: "POST",
    path: "/api/v1/phone-numbers",
    tag: "phone numbers",
    summary: "Adds a number to call from",
    scope: "phone-numbers:*",
    body: phoneNumberBody,
    answers: { 201: answer(phoneNumberRecord) },
    idempotent: true,
  },
  getPhoneNumber: {
    method: "GET",
    path: "/api/v1/phone-numbers/:id",
    tag: "phone numbers",
    summary: "One number",
    scope: "phone-numbers:*",
    answers: { 200: answer(phoneNumberRecord) },
    errors,
  },
  changePhoneNumber: {
    method: "PATCH",
    path: "/api/v1/phone-numbers/:id",
    tag: "phone numbers",
    summary: "Changes a number; an inactive one calls nobody",
    scope: "phone-numbers:*",
    body: changePhoneNumberBody,
    answers: { 200: answer(phoneNumberRecord) },
    errors,
  },
  deletePhoneNumber: {
    method: "DELETE",
    path: "/api/v1/phone-numbers/:id",
    tag: "phone numbers",
    summary: "Deletes a number; campaigns that use it pause",
    scope: "phone-numbers:*",
    answers: { 200: answer(deletedRecord("pn")) },
    errors,
  },
});
