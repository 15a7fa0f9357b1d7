import { createMemoryCampaignCommandQueue } from "../../../simulation/memory/campaign-command-queue.ts";
import { movingClock } from "../../support/moving-clock.ts";
import { queueContract } from "./queue-contract.ts";

queueContract(async () => {
  const clock = movingClock();
  const queue = createMemoryCampaignCommandQueue(clock);
  return {
    sender: queue,
    owner: queue,
    pass: async (millis) => clock.advance(millis),
    end: async () => undefined,
  };
});
