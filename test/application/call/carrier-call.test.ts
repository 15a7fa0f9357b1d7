import { expect, it } from "vitest";
import { dialledCall } from "../../../application/call/carrier-call.ts";
import { initialCallState } from "../../../domain/call/state.ts";

const DIAL_BY = "2026-09-01T10:00:15.000Z";
const requested = { ...initialCallState(), owner: "usr_1", dialBy: DIAL_BY, carrierRef: "ref" } as const;
const carrier = { kind: "asterisk", connectionId: "conn_1", instance: "pbx" } as const;

it("a call is asked about where it was dialled", () => {
  expect(dialledCall("call_1", { ...requested, carrier })).toEqual({
    owner: "usr_1",
    identity: carrier,
    call: { callId: "call_1", carrierRef: "ref", instance: "pbx", dialBy: DIAL_BY },
  });
});

it("a call of an older release has no far side of its own", () => {
  expect(dialledCall("call_1", requested)?.call.instance).toBeNull();
});

it("a call that was never requested was dialled nowhere", () => {
  expect(dialledCall("call_1", initialCallState())).toBeNull();
  expect(dialledCall("call_1", { ...requested, owner: null })).toBeNull();
  expect(dialledCall("call_1", { ...requested, dialBy: null })).toBeNull();
});
