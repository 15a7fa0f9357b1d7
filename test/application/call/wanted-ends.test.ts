import { beforeEach, describe, expect, it } from "vitest";
import { endSilentCall, requestEnd } from "../../../application/call/call-ending.ts";
import type { CallEvent } from "../../../domain/call/events.ts";
import {
  at,
  began,
  completed,
  connected,
  requested,
  ringing,
  talking,
} from "../../domain/call/example-call.ts";
import { callId, lookWorld } from "./look-world.ts";

const ORIGIN = { owner: "usr_1", actor: "key_1", correlationId: "req", causationId: null } as const;

let world: ReturnType<typeof lookWorld>;
beforeEach(() => {
  world = lookWorld();
  world.clock.advance(20_000);
});

describe("the wish to end a call", () => {
  const wish = async (...had: readonly CallEvent[]) => {
    await world.store(callId, ...had);
    await requestEnd(world.deps, callId, { by: "api", reason: "api" }, ORIGIN);
    return world.deps.calls.query(`call-${callId}`, ({ status, endReason }) => ({ status, endReason }));
  };

  it("is brought to the carrier of a call that is out, and asked again in 5 s", async () => {
    expect(await wish(requested, began, ringing)).toMatchObject({ status: "ringing" });
    expect(world.seen).toMatchObject({ hungUp: 1, looks: [{ callId, at: at(25) }] });
  });

  it("is all that a call needs that was not dialled: no carrier knows it", async () => {
    expect(await wish(requested)).toEqual({ status: "failed", endReason: "canceled" });
    expect(world.seen.hungUp).toBe(0);
  });

  it("changes nothing in a call that is over: no carrier is asked, and nobody looks at it", async () => {
    const over = await wish(requested, began, ringing, connected, talking, completed);
    expect(over).toEqual({ status: "completed", endReason: "customer_ended" });
    expect(world.seen).toMatchObject({ hungUp: 0, looks: [] });
  });
});

it("a call that was silent is not hung up when somebody has begun to talk meanwhile", async () => {
  await world.store(callId, requested, began, ringing, connected, talking);
  const command = { type: "ExpireDeadline", now: at(20), lookup: "found" } as const;
  await endSilentCall(world.deps, callId, command, ORIGIN);
  expect(world.seen).toMatchObject({ hungUp: 0, looks: [] });
});
