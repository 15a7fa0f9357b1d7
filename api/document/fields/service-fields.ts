import type { FieldTable } from "./field-table.ts";

/** Events. */
export const SERVICE_FIELDS: readonly FieldTable[] = [
  {
    of: ["HistoryEvent", "OwnerEvent"],
    fields: {
      position: "Its place in the whole log; opaque",
      revision: "Place in its stream, counted from 0",
      type: "What happened",
      data: "What is known about it; its fields depend on the type",
      occurredAt: "When it happened; ISO 8601, UTC",
      correlationId: "The same for everything that one request led to",
      causationId: "Id of what led to it; null: a request",
    },
  },
  { of: ["OwnerEvent"], fields: { stream: "Id of the call, campaign or squad" } },
];
