import { z } from "zod";
import { answer, anyObject, customObject, type DeepReadonly, KIB } from "./fields.ts";
import { routes } from "./route.ts";

const toolTestBody = z
  .strictObject({
    arguments: customObject(64 * KIB)
      .describe("What the model would give: a string for each argument")
      .optional(),
    variables: customObject()
      .describe("Variables of a call, by name: caller_number, contact fields and the like")
      .optional(),
  })
  .meta({
    id: "ToolTestRequest",
    examples: [{ arguments: { orderId: "4711" }, variables: { caller_number: "+905321112233" } }],
  });

const headers = z.record(z.string(), z.string());

const sentRequest = z.object({
  method: z.string().describe("HTTP method"),
  url: z.string().describe("Address, filled"),
  headers: headers.describe("Headers; [redacted] in place of secrets"),
  body: z.string().nullable().describe("Body; null: none"),
});
export type SentRequest = DeepReadonly<z.infer<typeof sentRequest>>;

const sentQuery = z.object({
  query: z.string().describe("The SQL, its values as $1, $2 and so on"),
  parameters: z.array(z.string().nullable()).describe("The values, in this order"),
});
export type SentQuery = DeepReadonly<z.infer<typeof sentQuery>>;

const received = z.union([
  z.object({
    status: z.number().meta({ type: "integer" }).describe("HTTP status"),
    headers: headers.describe("Headers of the answer"),
    body: z.string().describe("Body as far as it was read, 256 KiB at most"),
  }),
  z.object({
    rows: z.array(anyObject).describe("At most 50 rows"),
    more: z.boolean().describe("true: there are more rows"),
  }),
]);

const toolTestRecord = z
  .object({
    outcome: z
      .enum(["answered", "failed", "timed_out", "refused"])
      .describe("answered: the other side answered, whatever it said; refused: nothing left this service"),
    request: z
      .union([sentRequest, sentQuery])
      .nullable()
      .describe("What left, without secrets; null: nothing could be made"),
    response: received.nullable().describe("What came back, without secrets; null: nothing"),
    shown: z.string().describe("What the model would have been shown; at most 4 KiB"),
    millis: z.number().meta({ type: "integer" }).describe("Thousandths of seconds that it took"),
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
export type ToolTestRecord = DeepReadonly<z.infer<typeof toolTestRecord>>;

export const toolTestRoutes = routes({
  testTool: {
    method: "POST",
    path: "/api/v1/tools/:toolId/test",
    tag: "tools",
    summary: "Runs a tool now, really, and shows what left, what came back and what the model would see",
    scope: "tools:write",
    body: toolTestBody,
    answers: { 200: answer(toolTestRecord) },
    errors: ["TOOL_NOT_FOUND", "CONCURRENCY_LIMIT_REACHED"],
  },
});
