import { afterAll, beforeAll, expect, it } from "vitest";
import { createClient } from "../../client/client.ts";
import { startTestService, type TestService } from "../api/support/service.ts";
import { callable } from "../api/support/things.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

it("sends a file and its settings, and answers with a report or a campaign", async () => {
  const client = createClient({ baseUrl: service.url, apiKey: service.operator.key });
  const settings = JSON.stringify({ name: "From a file", ...(await callable(service.operator)) });
  const file = new File(["phone;name;city\n+905321112233;Ayşe;İzmir\n12;Nobody;-\n"], "contacts.csv");

  const dry = await client.campaigns.importCampaign({ file, settings }, { dryRun: "true" });
  expect(dry.data.data).toMatchObject({ totalContacts: 1, rejectedContacts: { count: 1 } });

  const { data } = (await client.campaigns.importCampaign({ file, settings })).data;
  if (!("campaign" in data)) throw new Error("no campaign was made");
  expect(data.campaign).toMatchObject({ name: "From a file", totalContacts: 1 });
  expect(data.rejectedContacts.items).toEqual([{ index: 1, line: 3, phoneNumber: "12", reason: "not_e164" }]);
  const contacts = await client.campaigns.listContacts(data.campaign.id);
  expect(contacts.data.data[0]).toMatchObject({ name: "Ayşe", customData: { city: "İzmir" } });
});
