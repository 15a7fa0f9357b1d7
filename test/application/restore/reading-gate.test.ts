import { afterEach, describe, expect, it } from "vitest";
import { type DialGate, openGate } from "../../../application/restore/dial-gate.ts";
import { GateClosedError } from "../../../application/restore/gate-closed.ts";
import { withReadings } from "../../../application/restore/reading-gate.ts";
import { seededRandom } from "../../../simulation/campaigns/seeded-random.ts";
import { createVirtualClock } from "../../../simulation/campaigns/virtual-clock.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";

const stop = new AbortController();
afterEach(() => stop.abort());

function world(inner: DialGate = openGate, head = "7") {
  const clock = createVirtualClock(0, seededRandom(1));
  const failures: Error[] = [];
  const asked = { listAgain: 0, begun: 0 };
  const at = { position: "", policies: "7", lists: "7" };
  const gate = withReadings(inner, {
    clock,
    logger: silentLogger,
    stop: new AbortController().signal,
    eventStore: { head: async () => head, comparePositions: (a, b) => Number(a) - Number(b) },
    optOuts: {
      listAgain: async () => {
        asked.listAgain += 1;
        const failure = failures.shift();
        if (failure !== undefined) throw failure;
        return 1;
      },
    },
  });
  const pass = async (millis: number) => {
    const until = clock.elapsed() + millis;
    void clock.sleep(millis);
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    while (clock.elapsed() < until && clock.advance())
      for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  };
  const follow = () => {
    gate.follow("opt-outs", () => {
      asked.begun += 1;
      return () => at.position;
    });
    gate.follow("policies", () => () => at.policies);
    gate.follow("suppression-lists", () => () => at.lists);
  };
  return { gate, asked, at, failures, pass, follow };
}

describe("the gate at a start", () => {
  it("opens when the reaction has passed what was the log's head, and lost numbers are listed again", async () => {
    const { gate, asked, at, pass, follow } = world();
    follow();
    await pass(1_000);
    expect([gate.state(), gate.waitsFor(), asked]).toEqual([
      "asking",
      "opt-outs",
      { listAgain: 0, begun: 1 },
    ]);
    expect(gate.requireOpen).toThrow(GateClosedError);
    expect(gate.whyClosed()).toContain("not to be called again");
    at.position = "6";
    await pass(1_000);
    expect(gate.state()).toBe("asking");
    at.position = "7";
    await pass(1_000);
    await gate.opened;
    expect([gate.state(), gate.waitsFor(), gate.whyClosed(), asked.listAgain]).toEqual([
      "open",
      null,
      null,
      1,
    ]);
    expect(gate.requireOpen).not.toThrow();
  });

  it("opens when policies have passed it, too, and says that it is they that are read", async () => {
    const { gate, asked, at, pass, follow } = world();
    Object.assign(at, { position: "7", policies: "6" });
    follow();
    await pass(1_000);
    expect([gate.state(), gate.waitsFor(), gate.reads(), asked.listAgain]).toEqual([
      "asking",
      "policies",
      ["policies"],
      1,
    ]);
    expect(gate.whyClosed()).toContain("The policies of owners have not been read");
    expect(gate.requireOpen).toThrow(GateClosedError);
    at.policies = "7";
    await pass(1_000);
    await gate.opened;
    expect([gate.state(), gate.waitsFor(), gate.reads()]).toEqual(["open", null, []]);
  });

  it("opens when it is known which lists are older than the log, too", async () => {
    const { gate, at, pass, follow } = world();
    Object.assign(at, { position: "7", lists: "6" });
    follow();
    await pass(1_000);
    expect([gate.state(), gate.waitsFor()]).toEqual(["asking", "suppression-lists"]);
    expect(gate.whyClosed()).toContain("Changes of suppression lists have not been read");
    at.lists = "7";
    await pass(1_000);
    await gate.opened;
    expect(gate.state()).toBe("open");
  });

  it("opens at once with a log that is empty", async () => {
    const { gate, pass, follow } = world(openGate, "");
    follow();
    await pass(0);
    expect(gate.state()).toBe("open");
  });

  it("stays closed as long as the list cannot be looked at", async () => {
    const { gate, at, failures, asked, pass, follow } = world();
    at.position = "9";
    failures.push(new Error("away"), new Error("away"));
    follow();
    await pass(0);
    expect([gate.state(), asked.listAgain]).toEqual(["asking", 1]);
    await pass(1_000);
    expect([gate.state(), asked.listAgain]).toEqual(["open", 3]);
  });

  it("does not begin before the stores may be used, and says what those wait for", async () => {
    const inner = Promise.withResolvers<void>();
    let isOpen = false;
    const { gate, asked, at, pass, follow } = world({
      ...openGate,
      opened: inner.promise,
      state: () => (isOpen ? "open" : "asking"),
      waitsFor: () => (isOpen ? null : "carrier"),
      whyClosed: () => (isOpen ? null : "the carrier is silent"),
    });
    at.position = "7";
    follow();
    await pass(5_000);
    expect([asked.begun, gate.waitsFor(), gate.whyClosed()]).toEqual([0, "carrier", "the carrier is silent"]);
    isOpen = true;
    inner.resolve();
    await pass(100);
    expect([asked.begun, gate.state()]).toEqual([1, "open"]);
  });
});
