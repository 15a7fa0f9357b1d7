import { earliest } from "../../../domain/shared/instant.ts";
import { createMemoryAdmission } from "../../../simulation/memory/admission.ts";
import { createMemoryDirectory } from "../../../simulation/memory/directory.ts";
import { createMemoryPolicies } from "../../../simulation/memory/policies.ts";
import { createMemoryLists } from "../../../simulation/memory/suppressions/lists.ts";
import { movingClock } from "../../support/moving-clock.ts";
import type { AdmissionWorld } from "./admission-world.ts";

export async function memoryAdmissionWorld(): Promise<AdmissionWorld> {
  const clock = movingClock();
  const directory = createMemoryDirectory();
  const policies = createMemoryPolicies();
  const lists = createMemoryLists();
  const admission = createMemoryAdmission({
    ...{ clock, owner: directory.ownerNow },
    ...{ policy: policies.now, lists: lists.now },
  });
  return {
    admission,
    setOwner: async (owner, is) => directory.setOwner(owner, is),
    setPolicy: policies.store,
    setLists: async (owner, days) => {
      const isEachLoaded = days.every((day) => day !== null);
      const oldestAsOf = isEachLoaded ? earliest(days) : null;
      lists.set(owner, { oldestAsOf, isBehind: false });
    },
    ledger: async (owner) => admission.ledger(owner),
    pass: async (millis) => clock.advance(millis),
    now: async () => clock.now(),
    setCapacity: async (limits) => admission.setCapacity(limits),
    end: async () => undefined,
  };
}
