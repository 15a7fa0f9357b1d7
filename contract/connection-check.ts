import { z } from "zod";
import { answer, type DeepReadonly, noBody } from "./fields.ts";
import { routes } from "./route.ts";

const finding = z.object({
  name: z.string().describe("What was looked at"),
  ok: z.boolean().describe("It is as it must be"),
  detail: z.string().describe("What was found, in a sentence"),
});
/**
 * `name`: `reachable`, `credentials`, `version` and others. `detail`: a sentence of ours, without secrets and
 * without text from the other side.
 */
export type ConnectionFinding = DeepReadonly<z.infer<typeof finding>>;

const connectionCheckRecord = z
  .object({
    ok: z.boolean().describe("Every finding is"),
    millis: z.number().describe("Milliseconds that it took"),
    findings: z
      .array(finding)
      .describe(
        "What was found, in the order in which it was looked at; what lies behind a failure is not looked at",
      ),
  })
  .meta({
    id: "ConnectionCheck",
    examples: [
      {
        ok: false,
        millis: 84,
        findings: [
          { name: "reachable", ok: true, detail: "GET /models was answered with status 401" },
          { name: "credentials", ok: false, detail: "The server refuses the key (status 401)" },
        ],
      },
    ],
  });
export type ConnectionCheckRecord = DeepReadonly<z.infer<typeof connectionCheckRecord>>;

export const connectionCheckRoutes = routes({
  checkConnection: {
    method: "POST",
    path: "/api/v1/connections/:id/check",
    tag: "connections",
    summary: "Asks the other side now; 200 also when that goes wrong",
    scope: "admin",
    body: noBody,
    answers: { 200: answer(connectionCheckRecord) },
    quietAt: [200],
    errors: ["CONNECTION_NOT_FOUND", "CONCURRENCY_LIMIT_REACHED"],
  },
});
