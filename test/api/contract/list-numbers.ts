import { expect, it } from "vitest";
import type { ApiUser } from "../support/api-user.ts";
import type { TestService } from "../support/service.ts";
import { made } from "../support/things.ts";

const LISTS = "/api/v1/suppression-lists";

/** The numbers of a list (docs/api.md §22). */
export function listNumbers(service: () => TestService): void {
  it("the numbers of a list are replaced by those of a file", async () => {
    const user: ApiUser = await service().newOwner();
    const { id } = await made(user, LISTS, { name: "Register", kind: "registry" });
    const put = async (list: string, raw: string) => {
      const headers = { "content-type": "text/csv" };
      const { status, body } = await user.send("PUT", `${LISTS}/${list}/numbers`, { raw, headers });
      return [status, body.error?.code ?? body.data.count];
    };
    expect(await put(id, "phone\n+12025550001\n")).toEqual([200, 1]);
    expect(await put(id, "phone\n")).toEqual([400, "VALIDATION_ERROR"]);
    expect(await put("spl_none", "phone\n")).toEqual([404, "SUPPRESSION_LIST_NOT_FOUND"]);
    expect(await put("spl_default", "phone\n")).toEqual([409, "CONFLICT"]);
  });
}
