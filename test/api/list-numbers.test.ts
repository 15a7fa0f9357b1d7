import { createHash } from "node:crypto";
import { request } from "node:http";
import type pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { eventually } from "../../simulation/drills/eventually.ts";
import { openTestPool } from "../support/postgres.ts";
import type { ApiUser, Wire } from "./support/api-user.ts";
import { startTestService, type TestService } from "./support/service.ts";
import { callable, campaignBody, made } from "./support/things.ts";

const LISTS = "/api/v1/suppression-lists";
const CSV = { "content-type": "text/csv" };

let service: TestService;
let pool: pg.Pool;
let user: ApiUser;
beforeAll(async () => {
  service = await startTestService();
  pool = openTestPool(service.databaseUrl, 2);
});
afterAll(async () => {
  await pool.end();
  await service.stop();
});
beforeEach(async () => {
  user = await service.newOwner();
});

const newList = async (): Promise<string> =>
  (await made(user, LISTS, { name: "National register", kind: "registry" })).id;
const numbersOf = (id: string, query = "") => `${LISTS}/${id}/numbers${query}`;
const put = (id: string, raw: string | FormData, query = "") =>
  user.send("PUT", numbersOf(id, query), { raw, headers: typeof raw === "string" ? CSV : {} });
const recordOf = async (id: string): Promise<Wire> => (await user.send("GET", `${LISTS}/${id}`)).body.data;
const fileOf = (count: number, first = 2_025_550_000) =>
  `phone\n${Array.from({ length: count }, (_, index) => `+1${first + index}\n`).join("")}`;
const refusalOf = ({ status, body }: { readonly status: number; readonly body: Wire }) => [
  status,
  body.error.code,
];

it("takes a file as it is, and tells what changed", async () => {
  const id = await newList();
  const file = fileOf(3);
  const first = await put(id, file, "?asOf=2026-09-01T00:00:00Z");
  expect([first.status, first.body.data]).toEqual([
    200,
    { count: 3, added: 3, removed: 0, duplicates: 0, rejected: { count: 0, items: [] } },
  ]);
  expect(first.headers.get("x-event-position")).not.toBeNull();
  expect(await recordOf(id)).toMatchObject({
    count: 3,
    asOf: "2026-09-01T00:00:00.000Z",
    sha256: createHash("sha256").update(file).digest("hex"),
  });
  const second = await put(id, `${fileOf(2, 2_025_550_002)}+12025550003\n`);
  expect(second.body.data).toMatchObject({ count: 2, added: 1, removed: 2, duplicates: 1 });
});

it("takes the file of a form, and the sum is of the file's bytes", async () => {
  const id = await newList();
  const file = '\ufeff"phone"\r\n"+12025550001"\r\n0532 111 22 33\r\n';
  const form = new FormData();
  form.append("file", new Blob([file], { type: "text/csv" }), "register.csv");
  const answer = await put(id, form, "?defaultCountry=TR");
  expect(answer.body.data).toMatchObject({ count: 2, added: 2 });
  expect((await recordOf(id)).sha256).toBe(createHash("sha256").update(file).digest("hex"));
  const other = new FormData();
  other.append("numbers", new Blob([file]), "register.csv");
  expect(refusalOf(await put(id, other))).toEqual([400, "VALIDATION_ERROR"]);
});

it("keeps people from being called at once, and a campaign skips them by name of the list", async () => {
  const [id, ready] = [await newList(), await callable(user)];
  const to = "+15005550006";
  const { campaign } = await made(
    user,
    "/api/v1/campaigns",
    campaignBody(ready, { contacts: [{ phoneNumber: to }] }),
  );
  await put(id, `phone\n${to}\n`);
  const call = await user.send("POST", "/api/v1/calls/outbound", { body: { ...ready, to } });
  expect(refusalOf(call)).toEqual([403, "RECIPIENT_SUPPRESSED"]);
  expect(call.body.error.details).toEqual([
    { path: [id], message: expect.stringContaining("National register") },
  ]);
  await user.send("POST", `/api/v1/campaigns/${campaign.id}/start`);
  const contacts = await eventually("the skip", async () => {
    const { body } = await user.send("GET", `/api/v1/campaigns/${campaign.id}/contacts`);
    return body.data[0]?.status === "skipped" ? body.data : null;
  });
  expect(contacts[0]).toMatchObject({ skipReason: "suppressed" });
});

it("refuses a file whole, and leaves the list", async () => {
  const id = await newList();
  await put(id, fileOf(200));
  const bad = await put(id, `${fileOf(296)}n/a\n+1\nx,y\n`);
  expect(refusalOf(bad)).toEqual([400, "VALIDATION_ERROR"]);
  expect(bad.body.error.details).toEqual([
    { path: ["file"], message: "3 of 299 rows have no number, which is more than 1 %" },
    { path: ["file", 298], message: "not_e164" },
    { path: ["file", 299], message: "not_possible" },
    { path: ["file", 300], message: "too_many_cells" },
  ]);
  expect(refusalOf(await put(id, ""))).toEqual([400, "VALIDATION_ERROR"]);
  expect(refusalOf(await put(id, "name,notes\nAda,x\n"))).toEqual([400, "VALIDATION_ERROR"]);
  const ahead = new Date(Date.now() + 120_000).toISOString();
  expect(refusalOf(await put(id, fileOf(200), `?asOf=${ahead}`))).toEqual([400, "VALIDATION_ERROR"]);
  expect(refusalOf(await put(id, fileOf(200), "?defaultCountry=tr"))).toEqual([400, "VALIDATION_ERROR"]);
  const json = await user.send("PUT", numbersOf(id), { body: { numbers: [] } });
  expect(refusalOf(json)).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
  expect(await recordOf(id)).toMatchObject({ count: 200 });
});

it("does not shrink by more than a fifth unless it is forced to", async () => {
  const id = await newList();
  await put(id, fileOf(100));
  expect(refusalOf(await put(id, fileOf(79)))).toEqual([409, "LIST_SHRINKS"]);
  expect((await put(id, fileOf(1), "?force=true")).body.data).toMatchObject({ count: 1, removed: 99 });
});

it("is nobody else's, and not the do-not-call list's", async () => {
  const id = await newList();
  const other = await service.newOwner();
  const foreign = await other.send("PUT", numbersOf(id), { raw: fileOf(1), headers: CSV });
  expect(refusalOf(foreign)).toEqual([404, "SUPPRESSION_LIST_NOT_FOUND"]);
  expect(refusalOf(await put("spl_nothing", fileOf(1)))).toEqual([404, "SUPPRESSION_LIST_NOT_FOUND"]);
  expect(refusalOf(await put("spl_default", fileOf(1)))).toEqual([409, "CONFLICT"]);
});

/** An upload that has begun and goes on when it is told to. */
function slowUpload(id: string) {
  const outgoing = request(`${service.url}${numbersOf(id)}`, {
    method: "PUT",
    headers: { ...CSV, authorization: `Bearer ${user.key}` },
  });
  const status = new Promise<number | null>((resolve) => {
    outgoing.on("response", (answer) => resolve(answer.resume().statusCode ?? null));
    outgoing.on("error", () => resolve(null));
  });
  outgoing.write("phone\n+12025550001\n");
  const taken = eventually("the upload to have the list", async () => {
    const { rows } = await pool.query(
      "select 1 from work.list_loads where list_id = $1 and until > clock_timestamp()",
      [id],
    );
    return rows.length > 0;
  });
  return { outgoing, status, taken };
}

const isFree = (id: string) =>
  eventually("the list to be free", async () => (await put(id, fileOf(2))).status === 200);

it("has one upload at a time, and an owner two", async () => {
  const [first, second, third] = [await newList(), await newList(), await newList()];
  const one = slowUpload(first);
  await one.taken;
  expect(refusalOf(await put(first, fileOf(2)))).toEqual([409, "LIST_BUSY"]);
  const two = slowUpload(second);
  await two.taken;
  expect(refusalOf(await put(third, fileOf(2)))).toEqual([429, "CONCURRENCY_LIMIT_REACHED"]);
  one.outgoing.end("+12025550002\n");
  two.outgoing.end("+12025550002\n");
  expect(await Promise.all([one.status, two.status])).toEqual([200, 200]);
  expect(await recordOf(first)).toMatchObject({ count: 2 });
  expect((await put(third, fileOf(2))).status).toBe(200);
});

it("is left by a body that is cut short, of whichever kind", async () => {
  const id = await newList();
  await put(id, fileOf(5));
  const cut = slowUpload(id);
  await cut.taken;
  cut.outgoing.destroy();
  expect(await cut.status).toBeNull();
  await eventually(
    "the list to be free",
    async () => (await put(id, "")).body.error.code === "VALIDATION_ERROR",
  );
  const boundary = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n';
  const headers = { "content-type": "multipart/form-data; boundary=b" };
  const form = await user.send("PUT", numbersOf(id), { raw: `${boundary}phone\n+12025550001\n`, headers });
  expect(refusalOf(form)).toEqual([400, "VALIDATION_ERROR"]);
  expect(await recordOf(id)).toMatchObject({ count: 5 });
  await isFree(id);
});

it("takes more than other bodies: up to 128 MiB, and says so before a client sends it", async () => {
  const id = await newList();
  const note = "x".repeat(1_000);
  const large = `phone,note\n${Array.from({ length: 20_000 }, (_, n) => `+1${2_025_550_000 + n},${note}\n`).join("")}`;
  expect(large.length).toBeGreaterThan(18 * 1024 * 1024);
  expect((await put(id, large)).body.data).toMatchObject({ count: 20_000 });
  const outgoing = request(`${service.url}${numbersOf(id)}`, {
    method: "PUT",
    headers: {
      ...CSV,
      authorization: `Bearer ${user.key}`,
      expect: "100-continue",
      "content-length": large.length,
    },
  });
  const goesOn = new Promise((resolve) => outgoing.on("continue", () => resolve("continue")));
  outgoing.flushHeaders();
  expect(await goesOn).toBe("continue");
  outgoing.on("error", () => undefined).destroy();
});
