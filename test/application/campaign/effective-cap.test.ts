import { expect, it } from "vitest";
import { withEffectiveCap } from "../../../application/campaign/effective-cap.ts";
import { OWNER, sharedStores } from "../engine-world.ts";
import { campaignRecord } from "./campaign-record.ts";

const caps = async (planConcurrentCalls: number, maxConcurrentCalls: number | null, owner = OWNER) => {
  const { directory } = sharedStores({ planConcurrentCalls });
  const record = { ...(await campaignRecord()), maxConcurrentCalls };
  const [shown] = await withEffectiveCap({ directory }, owner, [record]);
  return [shown?.id, shown?.maxConcurrentCalls, shown?.effectiveMaxConcurrentCalls];
};

it("a campaign calls as many at once as its own cap and the plan of its owner both allow", async () => {
  expect(await caps(5, 3)).toEqual(["cmp_1", 3, 3]);
  expect(await caps(5, 8)).toEqual(["cmp_1", 8, 5]);
  expect(await caps(5, null)).toEqual(["cmp_1", null, 5]);
});

it("nobody is called for an owner who is not there", async () => {
  expect(await caps(5, 3, "usr_gone")).toEqual(["cmp_1", 3, 0]);
});
