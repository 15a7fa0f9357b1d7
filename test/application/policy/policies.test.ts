import { describe, expect, it } from "vitest";
import { policyStream } from "../../../application/log/stream-names.ts";
import { changePolicy } from "../../../application/policy/policies.ts";
import type { Policy } from "../../../domain/policy/policy.ts";
import { createMemoryPolicies } from "../../../simulation/memory/policies.ts";
import { memoryLog } from "../../support/memory-log.ts";
import { engineProcess, OWNER, pass, sharedStores, typesOf } from "../engine-world.ts";

const OFF: Policy = {
  callableHours: null,
  attemptsPerNumber: null,
  oneCallAtATime: false,
  exceptSingleCalls: false,
};
const STRICT: Policy = { ...OFF, attemptsPerNumber: { day: 1 }, oneCallAtATime: true };
const CALLER = { owner: OWNER, actor: "key_1", correlationId: "req" } as const;
const STREAM = policyStream(OWNER);
const CHANGED = "PolicyChanged";

function world() {
  const stores = sharedStores();
  const log = memoryLog(stores);
  const change = (policy: Policy, expectedVersion: number | null = null, policies = stores.policies) =>
    changePolicy({ ...log, policies }, CALLER, { policy, expectedVersion });
  return { stores, log, change };
}

describe("a policy that is changed", () => {
  it("is in the log and in force when the answer comes", async () => {
    const { stores, change } = world();
    expect(await change(OFF)).toMatchObject({ ok: true, value: { version: 1 } });
    expect(await change(STRICT)).toMatchObject({ ok: true, value: { version: 2 } });
    expect(stores.policies.now(OWNER)).toEqual({ version: 2, policy: STRICT });
    expect(typesOf(stores, STREAM)).toEqual([CHANGED, CHANGED]);
  });

  it("tells no event by the same again, but is stored where it was not", async () => {
    const { stores, change } = world();
    await change(STRICT);
    const empty = createMemoryPolicies();
    expect(await change(STRICT, 0, empty)).toMatchObject({ ok: true, value: { version: 1 } });
    expect(empty.now(OWNER)).toEqual({ version: 1, policy: STRICT });
    expect(typesOf(stores, STREAM)).toEqual([CHANGED]);
  });

  it("is refused with POLICY_CHANGED to who has seen another version, and nothing is stored", async () => {
    const { stores, change } = world();
    await change(STRICT);
    expect(await change(OFF, 0)).toMatchObject({
      ok: false,
      refusal: { code: "POLICY_CHANGED", details: [] },
    });
    expect(stores.policies.now(OWNER)).toEqual({ version: 1, policy: STRICT });
  });

  it("is one of two that are asked for at once by two processes with the version that both saw", async () => {
    const { stores, change } = world();
    const other = memoryLog(stores);
    const there = (policy: Policy) =>
      changePolicy({ ...other, policies: stores.policies }, CALLER, { policy, expectedVersion: 0 });
    const answers = await Promise.all([change(OFF, 0), there(STRICT)]);
    expect(answers.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
    expect(typesOf(stores, STREAM)).toEqual([CHANGED]);
  });

  it("comes into force by the reaction where a process died between log and store", async () => {
    const { stores, log } = world();
    const dying = { ...stores.policies, store: async () => Promise.reject(new Error("died")) };
    for (const policy of [OFF, STRICT])
      await expect(
        changePolicy({ ...log, policies: dying }, CALLER, { policy, expectedVersion: null }),
      ).rejects.toThrow("died");
    expect(stores.policies.now(OWNER)).toBeNull();
    const next = engineProcess(stores);
    await pass(stores, 1_000);
    expect(stores.policies.now(OWNER)).toEqual({ version: 2, policy: STRICT });
    next.stop();
  });
});
