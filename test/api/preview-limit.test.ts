import { expect, it } from "vitest";
import { buildServer } from "../../api/server.ts";
import { throwingDeps } from "./support/inert-deps.ts";

it("makes four previews of an owner at once, and refuses a fifth until one is over", async () => {
  const inert = throwingDeps(() => new Error("not to be reached"));
  const { promise: goOn, resolve: finish } = Promise.withResolvers<void>();
  let open = 0;
  const previewTexts = async () => {
    open += 1;
    await goOn;
    return {
      ok: true as const,
      value: { items: [], warnings: [], estimate: { hours: null, credits: null } },
    };
  };
  const api = buildServer({ ...inert, useCases: { ...inert.useCases, previewTexts } });
  const ask = () =>
    api.inject({
      method: "POST",
      url: "/api/v1/campaigns/preview",
      headers: { authorization: "Bearer any" },
      payload: { contacts: [] },
    });
  const first = Array.from({ length: 4 }, ask).map(async (answer) => (await answer).statusCode);
  await expect.poll(() => open).toBe(4);
  const fifth = await ask();
  expect([fifth.statusCode, fifth.json().error.code]).toEqual([429, "CONCURRENCY_LIMIT_REACHED"]);
  finish();
  expect(await Promise.all(first)).toEqual([200, 200, 200, 200]);
  expect((await ask()).statusCode).toBe(200);
  await api.close();
});
