import { afterAll, beforeAll, expect, it } from "vitest";
import type { ApiUser, Wire } from "./support/api-user.ts";
import { startTestService, type TestService } from "./support/service.ts";
import { type Callable, callable, campaignBody, made } from "./support/things.ts";

const CAMPAIGNS = "/api/v1/campaigns";
const TALKS = "+15005550006";
const BUSY = "+15005550002";
const AT = "2026-08-20T09:15:00.000Z";
const UNTIL = "2090-08-20T09:15:00.000Z";
const AHEAD = "2091-01-01T00:00:00.000Z";
const GIVEN = { source: "Web form", at: "2026-08-20T12:15:00+03:00", expiresAt: UNTIL, reference: "=crm" };
const SHOWN = { source: "Web form", at: AT, expiresAt: UNTIL, reference: "=crm" };

let service: TestService;
let user: ApiUser;
let ready: Callable;
beforeAll(async () => {
  service = await startTestService();
  user = await service.newOwner();
  ready = await callable(user);
}, 120_000);
afterAll(() => service.stop());

const contactsOf = async (id: string): Promise<readonly Wire[]> =>
  (await user.send("GET", `${CAMPAIGNS}/${id}/contacts`)).body.data;
const problems = ({ body }: { readonly body: Wire }) => body.error.details.map(({ path }: Wire) => path);
const rejected = ({ rejectedContacts }: Wire) =>
  rejectedContacts.items.map(({ index, reason }: Wire) => [index, reason]);

it("a contact keeps its consent: in its record, as it stood, and in the CSV file", async () => {
  const contacts = [
    { phoneNumber: TALKS, consent: GIVEN },
    { phoneNumber: TALKS, consent: { source: "Phone", at: AT, expiresAt: null, reference: null } },
    { phoneNumber: BUSY, consent: null },
    { phoneNumber: BUSY, consent: { source: "Phone", at: AHEAD } },
  ];
  const created = await made(user, CAMPAIGNS, campaignBody(ready, { contacts }));
  expect(rejected(created)).toEqual([[3, "consent_in_future"]]);
  const { id } = created.campaign;
  const shown = [SHOWN, { source: "Phone", at: AT, expiresAt: null, reference: null }, null];
  const listed = await contactsOf(id);
  expect(listed.map(({ consent }) => consent)).toEqual(shown);
  const one = await user.send("GET", `${CAMPAIGNS}/${id}/contacts/${listed[0].id}`);
  expect(one.body.data.consent).toEqual(SHOWN);
  const then = `${CAMPAIGNS}/${id}/contacts?at=${new Date(Date.now() + 1).toISOString()}`;
  expect((await user.send("GET", then)).body.data.map(({ consent }: Wire) => consent)).toEqual(shown);
  const csv = (await user.send("GET", `${CAMPAIGNS}/${id}/contacts.csv`)).text.split("\n");
  expect(csv[0]).toContain(",consentSource,consentAt,consentExpiresAt,consentReference,");
  expect(csv[1]).toContain(`,"Web form",${AT},${UNTIL},"'=crm",`);

  const added = await user.send("POST", `${CAMPAIGNS}/${id}/contacts`, {
    body: { contacts: [{ phoneNumber: TALKS, consent: GIVEN }, contacts[3]] },
  });
  expect(rejected(added.body.data)).toEqual([[1, "consent_in_future"]]);
  expect((await contactsOf(id)).at(-1)?.consent).toEqual(SHOWN);
});

it("a consent of a wrong form is 400 at its place, in a contact, a single call and a test call", async () => {
  const { id } = (await made(user, CAMPAIGNS, campaignBody(ready))).campaign;
  const wrong: readonly (readonly [object, readonly string[]])[] = [
    [{ at: AT }, ["source"]],
    [{ source: "", at: AT }, ["source"]],
    [{ source: "x".repeat(256), at: AT }, ["source"]],
    [{ source: "Web form" }, ["at"]],
    [{ source: "Web form", at: "2026-08-20" }, ["at"]],
    [{ source: "Web form", at: AT, expiresAt: AT }, ["expiresAt"]],
    [{ source: "Web form", at: AT, reference: "" }, ["reference"]],
    [{ source: "Web form", at: AT, by: "me" }, ["by"]],
  ];
  for (const [consent, place] of wrong) {
    const contacts = [{ phoneNumber: TALKS }, { phoneNumber: TALKS, consent }];
    const body = campaignBody(ready, { contacts });
    expect(problems(await user.send("POST", CAMPAIGNS, { body }))).toEqual([
      ["contacts", 1, "consent", ...place],
    ]);
    const call = { body: { ...ready, to: TALKS, consent } };
    expect(problems(await user.send("POST", "/api/v1/calls/outbound", call))).toEqual([
      ["consent", ...place],
    ]);
    const test = { body: { to: TALKS, consent } };
    expect(problems(await user.send("POST", `${CAMPAIGNS}/${id}/test-call`, test))).toEqual([
      ["consent", ...place],
    ]);
  }
});

it("a single call and a test call keep theirs; one of the future is 400", async () => {
  const { id } = (await made(user, CAMPAIGNS, campaignBody(ready))).campaign;
  const start = (consent?: object) =>
    user.send("POST", "/api/v1/calls/outbound", { body: { ...ready, to: BUSY, consent } });
  const test = (consent: object) =>
    user.send("POST", `${CAMPAIGNS}/${id}/test-call`, { body: { to: BUSY, consent } });
  const shownIn = async (callId: string) =>
    (await user.send("GET", `/api/v1/calls/${callId}`)).body.data.consent;
  expect(await shownIn((await start(GIVEN)).body.callId)).toEqual(SHOWN);
  expect(await shownIn((await test(GIVEN)).body.data.callId)).toEqual(SHOWN);
  expect(await shownIn((await start()).body.callId)).toBeNull();
  for (const refused of [
    await start({ ...GIVEN, at: AHEAD, expiresAt: null }),
    await test({ source: "x", at: AHEAD }),
  ])
    expect([refused.status, problems(refused)]).toEqual([400, [["consent", "at"]]]);
});

it("a file gives it in columns that the settings name; source and time belong together", async () => {
  const send = (columns: object, file: string, query = "") => {
    const settings = encodeURIComponent(JSON.stringify({ name: "File", ...ready, columns }));
    return user.send("POST", `${CAMPAIGNS}/import?settings=${settings}${query}`, {
      raw: file,
      headers: { "content-type": "text/csv" },
    });
  };
  const columns = {
    consentSource: "from",
    consentAt: "since",
    consentExpiresAt: "until",
    consentReference: "ref",
  };
  const rows = [`${TALKS},Web form,${GIVEN.at},${UNTIL},=crm`, `${TALKS},,,,`, `${TALKS},Web form,,,`];
  const file = ["phone,from,since,until,ref", ...rows, `${TALKS},Web form,${AHEAD},,`].join("\n");
  const imported = await send(columns, file);
  expect(rejected(imported.body.data)).toEqual([
    [2, "bad_consent"],
    [3, "consent_in_future"],
  ]);
  const listed = await contactsOf(imported.body.data.campaign.id);
  expect(listed.map(({ consent }) => consent)).toEqual([SHOWN, null]);
  expect(listed[0].customData).toEqual({ from: "Web form", since: GIVEN.at, until: UNTIL, ref: "=crm" });
  expect(rejected((await send(columns, file, "&dryRun=true")).body.data)).toEqual(
    rejected(imported.body.data),
  );
  expect(problems(await send({ consentReference: "ref" }, file))).toEqual([
    ["settings", "columns", "consentSource"],
    ["settings", "columns", "consentAt"],
  ]);
  expect(problems(await send({ consentSource: "from", consentAt: "none" }, file))).toEqual([
    ["settings", "columns", "consentAt"],
  ]);
});

it("numbers on the do-not-call list are told of before anybody is called", async () => {
  await user.send("POST", "/api/v1/suppressions", { body: { items: [{ phoneNumber: BUSY }] } });
  const contacts = [{ phoneNumber: BUSY }, { phoneNumber: TALKS }, { phoneNumber: BUSY }];
  const { campaign, warnings } = await made(user, CAMPAIGNS, campaignBody(ready, { contacts }));
  const listed = expect.objectContaining({ code: "policy_on_a_list", count: 2 });
  expect(warnings).toContainEqual(listed);
  const started = await user.send("POST", `${CAMPAIGNS}/${campaign.id}/start`);
  expect(started.body.data.warnings).toContainEqual(listed);
});
