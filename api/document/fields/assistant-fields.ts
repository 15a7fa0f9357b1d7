import type { FieldTable } from "./field-table.ts";

/** Assistants, phone numbers, tools, secrets. */
export const ASSISTANT_FIELDS: readonly FieldTable[] = [
  {
    of: ["PhoneNumberRequest", "PhoneNumberChanges", "PhoneNumber"],
    fields: {
      phoneNumber: "The number, E.164",
      label: "A name for it; null: none",
      active: "false: no call goes out from it (default true)",
      carrier: "Name of the carrier that owns it; null: not set",
      shared:
        "true: other programs call from it as well, so calls from it that we do not know prove nothing (default false)",
      connectionId:
        "Connection of kind twilio or asterisk that it calls through; null: the installation's carrier",
    },
  },
  { of: ["PhoneNumber"], fields: { id: "Id of the phone number" } },
  { of: ["deletePhoneNumber"], fields: { "data.id": "Id of what is gone" } },
];
