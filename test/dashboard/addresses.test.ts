import { expect, it } from "vitest";
import { campaignSearch } from "../../dashboard/src/pages/campaign/search.ts";
import { stepOf } from "../../dashboard/src/pages/campaign-new/steps.ts";
import { campaignsSearch } from "../../dashboard/src/pages/campaigns/search.ts";
import { deliverySearchOf } from "../../dashboard/src/pages/deliveries/search.ts";

type Given = Readonly<Record<string, unknown>>;

/** A page's query as it gets it: the router lays what the page made of an address over what was given. */
const seenBy = (parse: (given: Given) => object, given: Given) => ({ ...given, ...parse(given) });

it.each<readonly [string, (given: Given) => object, Given]>([
  ["campaigns", campaignsSearch, { status: "running" }],
  ["a campaign", campaignSearch, { at: "yesterday", since: "garbage", q: "", contact: "" }],
  ["a new campaign", stepOf, { step: "six", assistantId: 7, from: ["cmp_1"], greetingMessage: {} }],
  ["deliveries", deliverySearchOf, { status: "lost", event: "call.rang", id: 7, callId: "" }],
])("what %s cannot read in an address never reaches the page", (_page, parse, given) => {
  expect(seenBy(parse, given)).toEqual({});
});

it("what it can read reaches it", () => {
  const given = { status: "RUNNING", q: "recall" };
  expect(seenBy(campaignsSearch, given)).toEqual(given);
  const at = "2026-09-01T10:00:00.000Z";
  expect(seenBy(campaignSearch, { at, status: "callback" })).toEqual({ at, status: "callback" });
});
