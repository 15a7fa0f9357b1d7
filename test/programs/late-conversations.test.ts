import { expect, it } from "vitest";
import type { SessionArrival, SessionListener } from "../../application/ports/voice-session.ts";
import { createLateConversations } from "../../composition/open-conversations.ts";
import { seededRandom } from "../../simulation/campaigns/seeded-random.ts";
import { createVirtualClock } from "../../simulation/campaigns/virtual-clock.ts";
import { until } from "../support/conversation/conversation-world.ts";
import { createLineSession } from "../support/conversation/line-session.ts";

const clock = createVirtualClock(0, seededRandom(1));
const arrival: SessionArrival = { callId: "call_1", session: createLineSession(clock).session };
const listener = {} as SessionListener;

it("a session that arrives before the engine is there waits for it", async () => {
  const late = createLateConversations(clock);
  const arrived = late.arrive(arrival);
  await until(clock, clock.sleep(11_000));
  late.open({ arrive: async ({ callId }) => (callId === "call_1" ? listener : null) });
  expect(await until(clock, arrived)).toBe(listener);
  expect(await late.arrive(arrival)).toBe(listener);
});

it("it is not taken when the engine does not come within 12 s", async () => {
  const late = createLateConversations(clock);
  const began = clock.monotonicMillis();
  expect(await until(clock, late.arrive(arrival))).toBeNull();
  expect(clock.monotonicMillis() - began).toBe(12_000);
});
