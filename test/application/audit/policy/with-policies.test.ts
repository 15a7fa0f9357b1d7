import { expect, it } from "vitest";
import { withPolicies } from "../../../../application/audit/policy/with-policies.ts";
import type { RecordedEvent } from "../../../../application/ports/event-codec.ts";
import { contact, created, dialed } from "../../../domain/campaign/example-campaign.ts";
import { memoryLog } from "../../../support/memory-log.ts";
import { listChanged, ON_LIST, skipped } from "./example-asked.ts";
import { ended, judged, policyChanged, single } from "./example-policies.ts";

const OWN = "campaign-cmp_1";
const NUMBER = contact(1).phoneNumber;

/** A campaign with one contact, beside another one and single calls to the same number and to others. */
async function historyBesides() {
  const log = memoryLog();
  await log.store(OWN, ...created([contact(1)]));
  await log.store("campaign-cmp_2", dialed(1, 2));
  await log.store("campaign-cmp_3", dialed(2, 3));
  await log.store("call-call_4", ...single("call_4", NUMBER, 5, judged(5, 0)), ended("call_4", 9));
  await log.store("call-call_5", ...single("call_5", "+905321234509", 5, judged(5, 0)));
  await log.storeFor("usr_2", "call-call_6", ...single("call_6", NUMBER, 5, judged(5, 0)));
  const own: RecordedEvent[] = [...(await log.recorded(OWN))];
  return { log, own };
}

it("adds the versions of the policy, and whatever else dialled the campaign's numbers", async () => {
  const { log, own } = await historyBesides();
  expect(await withPolicies(log, "usr_1", own)).toBe(own);
  await log.store("list-spl_1", listChanged(0));
  await log.storeFor("usr_2", "list-spl_2", listChanged(0, { owner: "usr_2", listId: "spl_2" }));
  await log.store("policy-usr_1", policyChanged(1, 0));
  const all = await withPolicies(log, "usr_1", own);
  expect(all.map(({ event, stream }) => [event.type, stream])).toEqual([
    ["ContactsImported", OWN],
    ["CampaignCreated", OWN],
    ["ContactDialed", "campaign-cmp_2"],
    ["CallRequested", "call-call_4"],
    ["CallDialingBegan", "call-call_4"],
    ["CallFailed", "call-call_4"],
    ["SuppressionListChanged", "list-spl_1"],
    ["PolicyChanged", "policy-usr_1"],
  ]);
});

it("adds the lists where somebody is skipped for one, without a policy too", async () => {
  const { log } = await historyBesides();
  await log.store("list-spl_1", listChanged(0));
  await log.store(OWN, skipped(1, 6, { reason: "suppressed", suppression: ON_LIST }));
  const all = await withPolicies(log, "usr_1", await log.recorded(OWN));
  expect(all.map(({ event }) => event.type)).toContain("SuppressionListChanged");
});
