import { expect, it } from "vitest";
import { asApiError } from "../../api/error-handler.ts";
import { QueriesBusyError } from "../../application/ports/queries.ts";

it("answers 503 with Retry-After while too many campaigns are read whole", () => {
  expect(asApiError(new QueriesBusyError("busy"))).toMatchObject({
    status: 503,
    headers: { "Retry-After": "1" },
    body: { success: false, error: { code: "NOT_READY", message: expect.stringContaining("ask again") } },
  });
});
