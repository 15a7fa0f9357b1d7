import { expect, it } from "vitest";
import { createCallDialing } from "../../../application/call/call-dialing.ts";
import { createCarrierHealth } from "../../../application/call/health/carrier-health.ts";
import type { CallRequested } from "../../../domain/call/events.ts";
import { instantFromMillis } from "../../../domain/shared/instant.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { REQUEST } from "../../domain/call/example-call.ts";
import { oneCarrier } from "../../support/one-carrier.ts";
import { engineProcess, OWNER, QUIET_CARRIER, sharedStores, until } from "../engine-world.ts";

/** How long after its write-ahead a call may still be sent when its dialBy is so far away. */
async function sentWithin(leftMillis: number): Promise<number> {
  const stores = sharedStores();
  const { clock } = stores;
  const allowed = Promise.withResolvers<number>();
  const dialing = createCallDialing({
    calls: engineProcess(stores, { works: false }).aggregates.calls,
    carrierHealth: createCarrierHealth(),
    pinnedConversations: { read: async () => null },
    clock,
    logger: silentLogger,
    admission: stores.admission,
    policies: stores.policies,
    lists: stores.lists,
    carriers: oneCarrier({
      ...QUIET_CARRIER,
      placeCall: async (_call, sendBy) => {
        allowed.resolve(sendBy);
        return { kind: "accepted", carrierRef: "ref" };
      },
    }),
  });
  const dialBy = instantFromMillis(clock.nowMillis() + leftMillis);
  const request: CallRequested["data"] = { ...REQUEST, dialAt: clock.now(), dialBy, at: clock.now() };
  const origin = { owner: OWNER, actor: "test", correlationId: "c", causationId: null };
  const began = clock.monotonicMillis();
  await until(stores, dialing.begin(request, origin, { expectNew: true, suppressed: false }));
  return (await allowed.promise) - began;
}

it("sends nothing later than 5 s after the write-ahead was started", async () => {
  expect(await sentWithin(15_000)).toBe(5_000);
});

it("sends nothing after dialBy, however soon that is", async () => {
  expect(await sentWithin(800)).toBe(800);
});
