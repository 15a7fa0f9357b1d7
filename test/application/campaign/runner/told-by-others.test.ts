import { describe, expect, it } from "vitest";
import type { Wake } from "../../../../domain/admission/requests.ts";
import { running } from "../../../domain/campaign/example-campaign.ts";
import { OWNER } from "../../engine-world.ts";
import { ONE, runnersOf } from "./runners-world.ts";

/** A process whose campaign waits for slots, and asks for them again in five seconds by itself. */
async function waitingForSlots() {
  const asked = { slots: 0, listeners: 0 };
  let freed: (wake: Wake) => void = () => undefined;
  const counted =
    <Listener>(listen: (listener: Listener) => () => void) =>
    (listener: Listener) => {
      asked.listeners += 1;
      const unsubscribe = listen(listener);
      return () => {
        asked.listeners -= 1;
        unsubscribe();
      };
    };
  const known = await runnersOf(running(ONE), {
    differing: ({ admission, directory, carrierHealth, assistantHealth, commandQueue }) => ({
      admission: {
        ...admission,
        onWake: counted((listener: (wake: Wake) => void) => {
          freed = listener;
          return () => undefined;
        }),
        admit: async () => {
          asked.slots += 1;
          return { granted: [], refusal: "concurrency" };
        },
      },
      directory: { ...directory, onChange: counted(directory.onChange) },
      carrierHealth: { ...carrierHealth, onChange: counted(carrierHealth.onChange) },
      assistantHealth: { ...assistantHealth, onChange: counted(assistantHealth.onChange) },
      commandQueue: { ...commandQueue, onEnqueued: counted(commandQueue.onEnqueued) },
    }),
  });
  await known.runners.announce("cmp_1");
  await known.passed(2);
  const { ends } = known.runs();
  await known.passed(1_000);
  return { ...known, asked, ends, frees: (wake: Wake) => freed(wake) };
}

describe("a campaign that waits", () => {
  it("goes on at once when a slot is free for it, and for no other's", async () => {
    const { asked, frees, passed, ends, runners } = await waitingForSlots();
    expect([asked.slots, runners.oldestDueSince()]).toEqual([1, "2026-09-01T10:00:00.002Z"]);
    frees({ owner: OWNER, campaignId: "cmp_2" });
    await passed(1);
    expect(asked.slots).toBe(1);
    frees({ owner: OWNER, campaignId: "cmp_1" });
    await passed(1);
    expect(asked.slots).toBe(2);
    await ends();
  });

  it("looks again when its owner has changed something, and no other", async () => {
    const { asked, stores, passed, ends } = await waitingForSlots();
    stores.directory.suppress("usr_2", "+14155550109");
    await passed(1);
    expect(asked.slots).toBe(1);
    stores.directory.suppress(OWNER, "+14155550109");
    await passed(1);
    expect(asked.slots).toBe(2);
    await ends();
  });

  it("is paused at once when its carrier is away", async () => {
    const { deps, types, passed, ends } = await waitingForSlots();
    deps.carrierHealth.assumeUnavailable(deps.carriers.routeKeyOf(OWNER, null));
    await passed(1);
    expect(types().at(-1)).toBe("CampaignPaused");
    await ends();
  });

  it("is paused at once when its assistant is", async () => {
    const { deps, types, passed, ends } = await waitingForSlots();
    deps.assistantHealth.assumeUnavailable({ owner: OWNER, connectionId: null, model: null });
    await passed(1);
    expect(types().at(-1)).toBe("CampaignPaused");
    await ends();
  });

  it("is told nothing any more when the process has stopped", async () => {
    const { asked, ends } = await waitingForSlots();
    expect(asked.listeners).toBe(5);
    await ends();
    expect(asked.listeners).toBe(0);
  });
});
