import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestService, type TestService } from "./support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

it("the OpenAPI document has a tag, and is not sent again to who has it", async () => {
  const first = await fetch(`${service.url}/openapi.json`);
  const tag = first.headers.get("etag") ?? "";
  expect([first.status, first.headers.get("content-type"), tag.length]).toEqual([
    200,
    "application/json; charset=utf-8",
    45,
  ]);
  expect(await first.json()).toMatchObject({ openapi: "3.1.0" });
  const again = await fetch(`${service.url}/openapi.json`, { headers: { "if-none-match": tag } });
  expect([again.status, again.headers.get("etag"), await again.text()]).toEqual([304, tag, ""]);
});

it("the text of metrics is made once for all who ask within a second", async () => {
  const read = async () => (await fetch(`${service.url}/metrics`)).text();
  const began = performance.now();
  const texts = await Promise.all(Array.from({ length: 5 }, read));
  const tookMillis = performance.now() - began;
  // Each text counts the requests before it, so texts of their own would differ.
  expect(new Set(texts).size).toBeLessThanOrEqual(1 + Math.ceil(tookMillis / 1_000));
  await expect.poll(read, { timeout: 20_000 }).not.toBe(texts[0]);
});
