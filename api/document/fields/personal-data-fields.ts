import type { FieldTable } from "./field-table.ts";

const TARGET = {
  callId: "Id of the call whose words are erased",
  phoneNumber: "Number, E.164: the words of every call to it are erased",
};

/** Erasures. */
export const PERSONAL_DATA_FIELDS: readonly FieldTable[] = [
  { of: ["ErasureRequest"], fields: TARGET },
  {
    of: ["Erasure"],
    fields: {
      id: "Id of the erasure",
      kind: "What was named: a call, or a number; `retention`: calls that the account keeps no longer",
      callId: `${TARGET.callId}; null: none was named`,
      phoneNumber: `${TARGET.phoneNumber}; null: none was named`,
      status: "`done`: no copy that the service holds has a word any more; `running`: it goes on by itself",
      calls: "Number of calls whose words it erases",
      recordings: "Number of recordings among them",
      deliveries: "Number of webhook messages that were emptied",
      createdAt: "When it began; ISO 8601, UTC",
      completedAt: "When it was done; ISO 8601, UTC; null: not yet",
    },
  },
];
