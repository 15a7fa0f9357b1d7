import { z } from "zod";
import { e164, idOf, instant, label, phoneNumber } from "../../contract/fields.ts";

const settings = {
  label: label.nullable().optional(),
  active: z.boolean().optional(),
  carrier: label.nullable().optional(),
  connectionId: label.nullable().optional(),
  shared: z.boolean().optional(),
};

export const phoneNumberBody = z
  .strictObject({ phoneNumber, ...settings })
  .meta({ id: "PhoneNumberRequest", examples: [{ phoneNumber: "+905320000000", label: "Reception" }] });

export const changePhoneNumberBody = z
  .strictObject({ phoneNumber: phoneNumber.optional(), ...settings })
  .meta({ id: "PhoneNumberChanges", examples: [{ active: false }] });

export const phoneNumberRecord = z
  .object({
    id: idOf("pn"),
    phoneNumber: e164,
    label: z.string().nullable(),
    active: z.boolean(),
    carrier: z.string().nullable(),
    connectionId: z.string().nullable(),
    shared: z.boolean(),
    createdAt: instant,
    updatedAt: instant,
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

export const phoneNumberDeleted = z.object({ id: idOf("pn"), deleted: z.literal(true) });
