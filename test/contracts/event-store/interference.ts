import { expect, it } from "vitest";
import type { ContractCase } from "./contract-case.ts";
import { exampleEvents, freshStream, idsOf } from "./example-events.ts";
import { followEvents } from "./following.ts";
import { type HarnessCapabilities, promised } from "./harness.ts";

export function interferenceCases({ store, harness }: ContractCase, capabilities: HarnessCapabilities): void {
  if (capabilities.foreignTransactions)
    it.each(["commit", "rollback"] as const)(
      "39: an open foreign transaction neither stalls nor skips, before and after its %s",
      async (how) => {
        const following = followEvents(harness().open(), 30);
        const foreign = await promised(harness().foreignTransaction)();
        const written = [];
        for (let n = 0; n < 30; n += 1) {
          if (n === 20) await foreign.end(how);
          const events = exampleEvents(1);
          await store().append(freshStream(), "no_stream", events);
          written.push(...idsOf(events));
          if (n === 10) expect(await followEvents(store(), 11)).toHaveLength(11);
        }
        expect(idsOf(await following)).toEqual(written);
      },
    );

  if (capabilities.removedStreams)
    it.each([
      ["delete", "not_found", "not_found"],
      ["tombstone", "deleted", "deleted"],
    ] as const)(
      "40: after an operator's %s a stream is typed so, and the processors go on",
      async (how, reading, appending) => {
        const following = followEvents(harness().open(), 4);
        const [removed, kept] = [freshStream(), freshStream()];
        await store().append(kept, "no_stream", exampleEvents(2));
        await store().append(removed, "no_stream", exampleEvents(1));
        await promised(harness().removeStream)(removed, how);
        await expect(store().read(removed)).rejects.toMatchObject({
          failure: { kind: reading, stream: removed },
        });
        if (appending === "deleted")
          await expect(store().append(removed, 0, exampleEvents(1))).rejects.toMatchObject({
            failure: { kind: appending, stream: removed },
          });
        await store().append(kept, 1, exampleEvents(1));
        const streams = (await following).map(({ stream }) => stream);
        expect(streams.filter((stream) => stream === kept)).toHaveLength(3);
      },
    );
}
