import { beforeEach, describe, expect, it } from "vitest";
import { actOnCall } from "../../../application/call/watchdog/call-look.ts";
import type { LookupResult } from "../../../application/ports/carrier.ts";
import {
  at,
  began,
  connected,
  endWanted,
  REF,
  REQUEST,
  requested,
  ringing,
  talking,
} from "../../domain/call/example-call.ts";
import { callId, DIAL_BY, lookWorld, SLOT } from "./look-world.ts";

const FOUND: Extract<LookupResult, { kind: "found" }> = {
  kind: "found",
  carrierRef: REF,
  status: "ringing",
  endReason: null,
  endedAt: null,
  answeredAt: null,
  answeredBy: null,
  endedBy: null,
  recordingRef: null,
};

let world: ReturnType<typeof lookWorld>;
beforeEach(() => {
  world = lookWorld();
});

async function added(...look: Parameters<typeof world.look>) {
  return (await world.look(...look)).map(({ event }) => event);
}

describe("a call without anything to do", () => {
  it("is left alone", async () => {
    expect(await added("nothing", { after: 5 }, requested)).toEqual([]);
    expect(world.seen).toMatchObject({ asked: 0, hungUp: 0, dials: [], looks: [], errors: [] });
  });
});

describe("a call whose turn has come", () => {
  it("is dialled as a call that the log has", async () => {
    await world.look("dial", { after: 0 }, requested);
    expect(world.seen.dials).toEqual([
      { request: REQUEST, options: { expectNew: false, suppressed: false } },
    ]);
    expect(world.seen.looks).toEqual([]);
  });

  it("is begun as suppressed when its number was listed while it waited", async () => {
    world.directory.suppress("usr_1", REQUEST.to);
    await world.look("dial", { after: 0 }, requested);
    expect(world.seen.dials[0]?.options).toEqual({ expectNew: false, suppressed: true });
  });

  it("is left to the next process, due at its turn, when this one does not dial any more", async () => {
    world.answers.dials = false;
    await world.look("dial", { after: 3 }, requested);
    expect(world.seen.looks).toEqual([{ callId, at: at(0) }]);
  });

  it("is not dialled when its request cannot be read", async () => {
    await world.look("dial", { after: 0 }, began);
    expect(world.seen).toMatchObject({ dials: [], errors: [] });
  });
});

describe("a call that has lasted as long as it may", () => {
  it("is ended by the system, in the watchdog's name, and its carrier is asked to hang up", async () => {
    const [wish, ...more] = await world.look("hang_up", { after: 620 }, requested, began, connected, talking);
    expect(wish?.event).toMatchObject({
      type: "CallEndRequested",
      data: { at: at(620), by: "system", reason: "max_duration" },
    });
    expect(wish?.metadata).toMatchObject({
      actor: "process:call-watchdog",
      owner: "usr_1",
      correlationId: callId,
    });
    expect(more).toEqual([]);
    expect(world.seen.hungUp).toBe(1);
  });
});

describe("a call whose last deadline has passed", () => {
  it("is closed without the carrier's word, which is asked to hang up once more", async () => {
    const events = await added("expire", { after: 50 }, requested, began, ringing, endWanted);
    expect(events).toMatchObject([{ type: "CallFailed", data: { endReason: "canceled" } }]);
    expect(world.seen).toMatchObject({ asked: 0, hungUp: 1 });
  });

  it("is not asked to be hung up when it was never dialled", async () => {
    const events = await added("expire", { after: DIAL_BY }, requested);
    expect(events).toMatchObject([{ type: "CallFailed", data: { endReason: "not_placed" } }]);
    expect(world.seen.hungUp).toBe(0);
  });

  it("stays as it is though nobody talks in it until its carrier has been asked", async () => {
    expect(await added("expire", { after: 20 }, requested, began, ringing, connected)).toEqual([]);
    expect(world.seen.hungUp).toBe(0);
  });
});

describe("a call that has rung for too long", () => {
  const RUNG_OUT = { after: 62 };
  const rungOut = (lookup: LookupResult) => {
    world.answers.lookup = lookup;
    return added("lookup", RUNG_OUT, requested, began, ringing);
  };

  it("rings on until then", async () => {
    world.answers.lookup = FOUND;
    expect(await added("lookup", { after: 61 }, requested, began, ringing)).toEqual([]);
    expect(world.seen).toMatchObject({ asked: 1, hungUp: 0 });
  });

  it("ends as not answered and is hung up where it still rings", async () => {
    expect(await rungOut(FOUND)).toMatchObject([{ type: "CallFailed", data: { endReason: "no_answer" } }]);
    expect(world.seen).toMatchObject({ asked: 1, hungUp: 1 });
  });

  it.each([
    ["absent", { kind: "absent" }, "setup_timeout"],
    ["never dialled", { kind: "never_dialled", proof: "refused" }, "not_placed"],
    ["over", { ...FOUND, status: "ended", endReason: "busy", endedAt: at(30) }, "busy"],
  ] as const)("is not hung up where it is %s", async (_where, lookup, endReason) => {
    expect(await rungOut(lookup)).toMatchObject([{ type: "CallFailed", data: { endReason } }]);
    expect(world.seen.hungUp).toBe(0);
  });

  it.each([
    ["does not know", { kind: "ambiguous" }, "outcome_unknown"],
    ["cannot be reached", { kind: "unavailable", cause: "away" }, "no_answer"],
  ] as const)("is hung up in any case where the carrier %s", async (_carrier, lookup, endReason) => {
    expect(await rungOut(lookup)).toMatchObject([{ type: "CallFailed", data: { endReason } }]);
    expect(world.seen.hungUp).toBe(1);
  });

  it("has an unknown outcome when its connection is not configured any more", async () => {
    world.answers.configured = false;
    expect(await rungOut(FOUND)).toMatchObject([
      { type: "CallFailed", data: { endReason: "outcome_unknown" } },
    ]);
    expect(world.seen).toMatchObject({ asked: 0, hungUp: 0 });
  });
});

describe("the answer that the carrier has no such call", () => {
  const absentAfter = (steady: number) => {
    world.answers.lookup = { kind: "absent" };
    world.answers.steady = steady;
    return added("lookup", { after: 60 }, requested, began);
  };

  it("says nothing within 20 s of a jump of the clock: the dial may just have been sent", async () => {
    expect(await absentAfter(19_999)).toEqual([]);
  });

  it("means that the call was not placed from then on", async () => {
    expect(await absentAfter(20_000)).toMatchObject([
      { type: "CallFailed", data: { endReason: "not_placed" } },
    ]);
    expect(world.seen.hungUp).toBe(0);
  });

  it("is the only one that has to wait for the clock", async () => {
    world.answers.lookup = { ...FOUND, status: "ended", endReason: "busy", endedAt: at(30) };
    world.answers.steady = 0;
    expect(await added("lookup", { after: 60 }, requested, began)).toMatchObject([
      { type: "CallRinging" },
      { type: "CallFailed", data: { endReason: "busy" } },
    ]);
  });
});

describe("an answered call in which nobody talks", () => {
  it("is hung up once the carrier has no conversation either", async () => {
    world.answers.lookup = { ...FOUND, status: "connected", answeredAt: at(10), answeredBy: "human" };
    expect(await added("lookup", { after: 20 }, requested, began, ringing, connected)).toMatchObject([
      { type: "CallEndRequested", data: { by: "system", reason: "assistant_error" } },
    ]);
    expect(world.seen.hungUp).toBe(1);
  });

  it("goes on when the carrier knows of one", async () => {
    world.answers.lookup = { ...FOUND, status: "in_progress", answeredAt: at(10), answeredBy: "human" };
    expect(await added("lookup", { after: 20 }, requested, began, ringing, connected)).toMatchObject([
      { type: "CallConversationStarted" },
    ]);
    expect(world.seen.hungUp).toBe(0);
  });
});

describe("a carrier that says that the call is not there", () => {
  it("is not asked to hang it up, though the call has to be closed without its end", async () => {
    world.answers.lookup = { ...FOUND, carrierRef: "another", status: "ended" };
    const events = await added("lookup", { after: 77 }, requested, began, ringing);
    expect(events).toMatchObject([{ type: "CallFailed", data: { endReason: "no_answer" } }]);
    expect(world.seen.hungUp).toBe(0);
  });

  it.each([{ kind: "absent" }, { kind: "never_dialled", proof: "refused" }] as const)(
    "is not asked to when it says $kind of a call that was answered",
    async (lookup) => {
      world.answers.lookup = lookup;
      const events = await added("lookup", { after: 640 }, requested, began, ringing, connected, talking);
      expect(events).toMatchObject([{ data: { endReason: "max_duration" } }]);
      expect(world.seen.hungUp).toBe(0);
    },
  );
});

it("nobody is asked about a call that the log does not know", async () => {
  await actOnCall(world.deps, SLOT, "lookup");
  expect(world.seen).toMatchObject({ asked: 0, errors: [] });
});
