import { afterEach, beforeEach, describe } from "vitest";
import type { EventStore } from "../../../application/ports/event-store.ts";
import { appendingCases } from "./appending.ts";
import type { ContractCase } from "./contract-case.ts";
import { fidelityCases } from "./fidelity.ts";
import { type EventStoreHarness, type HarnessCapabilities, promised } from "./harness.ts";
import { idempotenceCases } from "./idempotence.ts";
import { interferenceCases } from "./interference.ts";
import { logOrderCases } from "./log-order.ts";
import { readingCases } from "./reading.ts";
import { subscriptionCases } from "./subscriptions.ts";

/**
 * The 40 cases of docs/log.md §4 against one adapter; each title begins with the number of its
 * case. `makeHarness` is called for every case. Cases that ask for something a harness does not
 * offer are not registered.
 */
export function eventStoreContract(
  name: string,
  makeHarness: () => Promise<EventStoreHarness>,
  capabilities: HarnessCapabilities,
): void {
  describe(`the event log in ${name}`, () => {
    let current: { readonly harness: EventStoreHarness; readonly store: EventStore } | undefined;
    beforeEach(async () => {
      const harness = await makeHarness();
      current = { harness, store: harness.open() };
    });
    afterEach(async () => {
      await current?.harness.close();
      current = undefined;
    });
    const contract: ContractCase = {
      harness: () => promised(current).harness,
      store: () => promised(current).store,
    };
    describe("append", () => appendingCases(contract));
    describe("repeated append", () => idempotenceCases(contract, capabilities));
    describe("read", () => readingCases(contract));
    describe("fidelity", () => fidelityCases(contract));
    describe("order of the log", () => logOrderCases(contract));
    describe("subscriptions", () => {
      subscriptionCases(contract, capabilities);
      interferenceCases(contract, capabilities);
    });
  });
}
