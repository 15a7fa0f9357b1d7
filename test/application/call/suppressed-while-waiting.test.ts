import { describe, expect, it } from "vitest";
import type { CreateCampaignRequest } from "../../../application/campaign/create-campaign.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import {
  ASSISTANT,
  CALLER,
  engineProcess,
  OWNER,
  PHONE_NUMBER,
  pass,
  type Stores,
  sharedStores,
  until,
} from "../engine-world.ts";
import { campaignRequest, exampleContacts } from "../example-request.ts";

const SUPPRESSED: PhoneNumber = "+12025550199";

const single = (to: PhoneNumber) =>
  ({
    reservedCallId: null,
    phoneNumberId: PHONE_NUMBER,
    assistantId: ASSISTANT,
    squadId: null,
    to,
    greetingMessage: null,
    specialInstructions: null,
    metadata: {},
  }) as const;

/** One call a second: the n-th of them waits n seconds for its turn. */
function slowPlan(): Stores {
  const stores = sharedStores({ planConcurrentCalls: 30 });
  stores.directory.setOwner(OWNER, { active: true, plan: { maxConcurrentCalls: 30, maxCallsPerSecond: 1 } });
  return stores;
}

/** Numbers that the carrier was asked to dial, and why the call of the suppressed number ended. */
function seen(stores: Stores, works = true) {
  const dialled: string[] = [];
  const one = engineProcess(stores, {
    works,
    placeCall: async ({ callId, to }) => {
      dialled.push(to);
      return { kind: "accepted", carrierRef: `ref-${callId}` };
    },
  });
  const reasons = () =>
    stores.database.events.flatMap(({ type, data }) => (type === "CallFailed" ? [data["endReason"]] : []));
  return { one, dialled, reasons };
}

describe("a suppression that comes while a call waits for its pace", () => {
  it.each([
    ["within its request", 3],
    ["after its request was answered", 9],
  ])("keeps a single call from being dialled: %s", async (_when, before) => {
    const stores = slowPlan();
    const { one, dialled, reasons } = seen(stores);
    const calls = Array.from({ length: before }, (_, index) =>
      one.useCases.startOutboundCall(CALLER, single(`+1202555010${index}`)),
    );
    calls.push(one.useCases.startOutboundCall(CALLER, single(SUPPRESSED)));
    await pass(stores, 1_500);
    stores.directory.suppress(OWNER, SUPPRESSED);
    await until(stores, Promise.all(calls));
    await pass(stores, 15_000);
    expect(dialled).toHaveLength(before);
    expect(dialled).not.toContain(SUPPRESSED);
    expect(reasons()).toEqual(["suppressed"]);
  });

  it("keeps it from being dialled also where nobody but its request looks at it", async () => {
    const stores = slowPlan();
    const { one, dialled, reasons } = seen(stores, false);
    const calls = (["+12025550100", "+12025550101", SUPPRESSED] as const).map((to) =>
      one.useCases.startOutboundCall(CALLER, single(to)),
    );
    await pass(stores, 1_500);
    stores.directory.suppress(OWNER, SUPPRESSED);
    const [, , last] = await until(stores, Promise.all(calls));
    expect(last).toMatchObject({ ok: true, value: { status: "failed" } });
    expect(dialled).toEqual(["+12025550100", "+12025550101"]);
    expect(reasons()).toEqual(["suppressed"]);
  });

  it("keeps a contact of a campaign from being dialled", async () => {
    const stores = slowPlan();
    const { one, dialled, reasons } = seen(stores);
    await until(
      stores,
      one.useCases.createCampaign(CALLER, campaignOf(["+12025550100", "+12025550101", SUPPRESSED])),
    );
    await until(stores, one.useCases.startCampaign(CALLER, "cmp_1"));
    await pass(stores, 500);
    expect(stores.database.events.filter(({ type }) => type === "ContactDialed")).toHaveLength(3);
    stores.directory.suppress(OWNER, SUPPRESSED);
    await pass(stores, 10_000);
    expect(dialled).toEqual(["+12025550100", "+12025550101"]);
    expect(reasons()).toEqual(["suppressed"]);
  });
});

function campaignOf(numbers: readonly string[]): CreateCampaignRequest {
  return campaignRequest(numbers.length, { contacts: exampleContacts(numbers) });
}
