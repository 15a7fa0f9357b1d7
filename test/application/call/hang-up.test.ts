import { beforeEach, describe, expect, it } from "vitest";
import { askToHangUp, requestEnd } from "../../../application/call/call-ending.ts";
import { EventStoreError } from "../../../application/ports/event-store.ts";
import { type Instant, plusMillis } from "../../../domain/shared/instant.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { oneCarrier } from "../../support/one-carrier.ts";
import {
  ASSISTANT,
  CALLER,
  engineProcess,
  PHONE_NUMBER,
  QUIET_CARRIER,
  type Stores,
  sharedStores,
  typesOf,
  until,
} from "../engine-world.ts";

const CALL = {
  callId: "call_1",
  carrierRef: "ref",
  instance: null,
  dialBy: "2026-09-01T10:00:15.000Z",
} as const;
const WISH = { by: "api", reason: "api" } as const;

let told: unknown[];
beforeEach(() => {
  told = [];
});
const logger = {
  ...silentLogger,
  warn: (...line: unknown[]) => void told.push(["warn", ...line]),
  error: (...line: unknown[]) => void told.push(["error", ...line]),
};

describe("a carrier that is asked to hang up", () => {
  const ask = (hangUp: () => Promise<"done" | "unknown">) => askToHangUp({ logger }, { hangUp }, CALL);

  it("has done it when it says so", async () => {
    await ask(async () => "done");
    expect(told).toEqual([]);
  });

  it("is named when it does not confirm, fails, or is not configured any more", async () => {
    const error = new Error("away");
    await ask(async () => "unknown");
    await ask(() => Promise.reject(error));
    await askToHangUp({ logger }, null, CALL);
    const unconfirmed = ["warn", { callId: "call_1" }, "hang-up not confirmed"];
    expect(told).toEqual([
      unconfirmed,
      ["error", { callId: "call_1", error }, "hang-up failed"],
      unconfirmed,
    ]);
  });
});

describe("the wish for an end of a call", () => {
  /** A call that the carrier has; `failure` is what the log says to the wish. */
  async function wishes(failure: Error | null) {
    const stores: Stores = sharedStores();
    const one = engineProcess(stores, { works: false });
    await until(
      stores,
      one.useCases.startOutboundCall(CALLER, {
        reservedCallId: "call_1",
        phoneNumberId: PHONE_NUMBER,
        assistantId: ASSISTANT,
        squadId: null,
        to: "+12025550100",
        greetingMessage: null,
        specialInstructions: null,
        metadata: {},
      }),
    );
    const other = engineProcess(stores, {
      works: false,
      processId: "other",
      wrapStore: (store) => ({
        ...store,
        append: (...asked) => (failure === null ? store.append(...asked) : Promise.reject(failure)),
      }),
    });
    const hungUp: string[] = [];
    const looks: unknown[] = [];
    const woken: Instant[] = [];
    const carrier = {
      ...QUIET_CARRIER,
      placeCall: () => Promise.reject(new Error("nobody asked for it")),
      hangUp: async ({ callId }: { readonly callId: string }) => {
        hungUp.push(callId);
        return "done" as const;
      },
    };
    const deps = {
      calls: other.aggregates.calls,
      admission: { setNextLooks: async (next: unknown) => void looks.push(next) },
      wakeWatchdogBy: (at: Instant) => void woken.push(at),
      carriers: oneCarrier(carrier),
      clock: stores.clock,
      logger,
    };
    const wish = () => until(stores, requestEnd(deps, "call_1", WISH, { ...CALLER, causationId: null }));
    return { stores, wish, hungUp, looks, woken };
  }

  it("is looked after 5 s later, once, and the carrier is asked each time", async () => {
    const { stores, wish, hungUp, looks, woken } = await wishes(null);
    const at = plusMillis(stores.clock.now(), 5_000);
    await wish();
    expect([looks, woken]).toEqual([[[{ callId: "call_1", at }]], [at]]);
    await wish();
    expect([looks.length, hungUp]).toEqual([1, ["call_1", "call_1"]]);
  });

  it("reaches the carrier also when the log refuses it for good", async () => {
    const failure = new EventStoreError({ kind: "too_large", what: "event", bytes: 2, limit: 1 });
    const { stores, wish, hungUp } = await wishes(failure);
    await wish();
    expect([typesOf(stores, "call-call_1").includes("CallEndRequested"), hungUp]).toEqual([
      false,
      ["call_1"],
    ]);
    expect(told).toEqual([
      [
        "error",
        { callId: "call_1", error: failure },
        "the log takes no wish to end this call; the carrier is asked all the same",
      ],
    ]);
  });

  it("is not made, and nobody is asked, when the log fails", async () => {
    const { wish, hungUp } = await wishes(new TypeError("broken"));
    await expect(wish()).rejects.toThrow("broken");
    expect(hungUp).toEqual([]);
  });
});
