import { systemIds } from "../../../infrastructure/ids.ts";
import { createMemoryDirectory } from "../../../simulation/memory/directory.ts";
import { memoryOptOuts } from "../../../simulation/memory/suppressions/opt-outs.ts";
import {
  keyOf,
  memoryListState,
  memorySuppressions,
} from "../../../simulation/memory/suppressions/suppression-list.ts";
import {
  memoryOutbox,
  memoryOutboxState,
  putMemoryEndpoint,
} from "../../../simulation/memory/webhook-outbox.ts";
import { movingClock } from "../../support/moving-clock.ts";
import { optOutsContract } from "./opt-outs-contract.ts";

optOutsContract("opt-outs in memory", () => {
  const clock = movingClock();
  const state = memoryListState();
  const queued = memoryOutboxState();
  const directory = createMemoryDirectory();
  const outbox = memoryOutbox(queued, { clock, ids: systemIds, onQueued: () => undefined });
  const deps = { state, directory, outbox, clock, ids: systemIds };
  return {
    optOuts: memoryOptOuts(deps),
    again: memoryOptOuts(deps),
    suppressions: memorySuppressions(deps),
    directory,
    clock,
    async tell(owner) {
      putMemoryEndpoint(
        queued,
        owner,
        {
          url: "http://127.0.0.1:8080/",
          inUse: true,
          events: ["number.suppressed"],
          secrets: { current: "whsec_a2V5", previous: null },
        },
        clock.nowMillis(),
      );
    },
    async told(owner) {
      return [...queued.deliveries.values()]
        .filter((each) => each.owner === owner)
        .map(({ entry }) => entry.body);
    },
    async lose(owner, phoneNumber) {
      state.entries.delete(keyOf(owner, phoneNumber));
      directory.unsuppress(owner, phoneNumber);
    },
  };
});
