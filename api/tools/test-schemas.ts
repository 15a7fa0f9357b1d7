import { z } from "zod";
import { anyObject, customObject, KIB } from "../../contract/fields.ts";

export const testToolBody = z
  .strictObject({ arguments: customObject(64 * KIB).optional(), variables: customObject().optional() })
  .meta({
    id: "ToolTestRequest",
    examples: [{ arguments: { orderId: "4711" }, variables: { caller_number: "+905321112233" } }],
  });

const headers = z.record(z.string(), z.string());
const sent = z.union([
  z.object({ method: z.string(), url: z.string(), headers, body: z.string().nullable() }),
  z.object({ query: z.string(), parameters: z.array(z.string().nullable()) }),
]);
const received = z.union([
  z.object({ status: z.number().meta({ type: "integer" }), headers, body: z.string() }),
  z.object({ rows: z.array(anyObject), more: z.boolean() }),
]);

export const toolTest = z
  .object({
    outcome: z.enum(["answered", "failed", "timed_out", "refused"]),
    request: sent.nullable(),
    response: received.nullable(),
    shown: z.string(),
    millis: z.number().meta({ type: "integer" }),
  })
  .meta({
    id: "ToolTest",
    examples: [
      {
        outcome: "answered",
        request: {
          method: "GET",
          url: "https://shop.example.com/orders/4711",
          headers: { authorization: "Bearer [redacted]", "idempotency-key": "test-1" },
          body: null,
        },
        response: {
          status: 200,
          headers: { "content-type": "application/json" },
          body: '{"state":"shipped"}',
        },
        shown: '200\n{"state":"shipped"}',
        millis: 87,
      },
    ],
  });
