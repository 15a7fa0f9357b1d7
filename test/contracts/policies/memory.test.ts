import { expect } from "vitest";
import { createMemoryPolicies } from "../../../simulation/memory/policies.ts";
import { policiesContract } from "./policies-contract.ts";

policiesContract("policies in memory", () => {
  const policies = createMemoryPolicies();
  const soon = async (what: string, holds: () => Promise<boolean>) => expect(await holds(), what).toBe(true);
  return { policies, again: policies, soon };
});
