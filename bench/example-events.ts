import type { EventToAppend } from "../application/ports/event-store.ts";
import { systemIds } from "../infrastructure/ids.ts";

/** An event of ordinary size (a sentence of a conversation, 400 bytes of data), the same for every side. */
export const EXAMPLE_TYPE = "CallMessageAdded";
export const EXAMPLE_DATA = {
  callId: "call_01jd9h7k3xf5sr2m8y4n6p0q1w",
  at: "2026-09-01T10:00:00.000Z",
  carrierRef: "sim-000001",
  sequence: 4,
  message: {
    index: 0,
    role: "assistant",
    assistantId: "ast_01jd9h7k3xf5sr2m8y4n6p0q1w",
    content:
      "Good morning, this is the clinic, reminding you of your appointment tomorrow at ten. Will you be there?",
    at: "2026-09-01T10:00:00.000Z",
    offsetMs: 0,
  },
};
const OWNER = "usr_01jd9h7k3xf5sr2m8y4n6p0q1w";
export const EXAMPLE_METADATA = {
  correlationId: "8f14e45f-ceea-467f-a9d9-5b6f3c2d1e0a",
  causationId: null,
  actor: "process:carrier-events",
  owner: OWNER,
  schemaVersion: 1,
};

export function exampleEvents(count: number): EventToAppend[] {
  return Array.from({ length: count }, () => ({
    id: systemIds.uuid(),
    type: EXAMPLE_TYPE,
    data: EXAMPLE_DATA,
    metadata: EXAMPLE_METADATA,
  }));
}
