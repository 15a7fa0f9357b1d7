import { createMemoryLeases } from "../../../simulation/memory/leases.ts";
import { movingClock } from "../../support/moving-clock.ts";
import { leasesContract } from "./leases-contract.ts";

leasesContract(async () => {
  const clock = movingClock();
  return {
    leases: createMemoryLeases(clock),
    pass: async (millis) => clock.advance(millis),
    end: async () => undefined,
  };
});
