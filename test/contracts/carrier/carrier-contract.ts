import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CarrierCall, CarrierEvent, PlaceCall } from "../../../application/ports/carrier.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { type CarrierWorld, dialOf, inMillis, LATEST, type Refusal } from "./carrier-world.ts";

const REFUSALS: readonly Refusal[] = [
  "busy",
  "declined",
  "no_answer",
  "invalid_number",
  "permission_denied",
  "unreachable",
  "carrier_error",
];

type Ended = Extract<CarrierEvent, { type: "ended" }>;

/** What this far side can be brought to. */
export type FarSide = {
  /** How it refuses; default: in every way. */
  readonly refusals?: readonly Refusal[];
  /** It records a line on which nobody talks; default: it does. */
  readonly recordsSilence?: boolean;
  /** There is a way between us that could break; default: there is. */
  readonly breaks?: boolean;
};

function nobodyAt(refusal: Refusal): never {
  throw new Error(`The world has no number that is refused with ${refusal}`);
}

/** What every Carrier keeps (application/ports/carrier.ts), whoever is at its far side. */
export function carrierContract(name: string, open: () => Promise<CarrierWorld>, what: FarSide = {}): void {
  describe(`Carrier: ${name}`, () => {
    let world: CarrierWorld;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());

    /** The carrier's names of the calls that it accepted, as the log has them. */
    const names = new Map<string, string>();
    const told = (call: PlaceCall) => world.events.filter(({ callId }) => callId === call.callId);
    const hears = <Type extends CarrierEvent["type"]>(call: PlaceCall, type: Type) =>
      eventually(`${type} of ${call.callId}`, () =>
        told(call).find((event): event is Extract<CarrierEvent, { type: Type }> => event.type === type),
      );
    const asked = async (call: PlaceCall, instance?: string | null): Promise<CarrierCall> => ({
      callId: call.callId,
      carrierRef: names.get(call.callId) ?? told(call)[0]?.carrierRef ?? null,
      instance: instance === undefined ? await world.carrier().instance() : instance,
      dialBy: call.dialBy,
    });
    const looked = async (call: PlaceCall) => world.carrier().lookup(await asked(call));
    const placed = async (call: PlaceCall) => {
      const answer = await world.carrier().placeCall(call, LATEST);
      expect(answer).toMatchObject({ kind: "accepted" });
      if (answer.kind === "accepted") names.set(call.callId, answer.carrierRef);
      return call;
    };
    const hungUp = async (call: PlaceCall) => world.carrier().hangUp(await asked(call));
    const isEnded = async (call: PlaceCall) => {
      const found = await looked(call);
      return found.kind === "found" && found.status === "ended" && found;
    };

    it("knows nothing against a dial while it answers", async () => {
      expect(await world.carrier().refuses()).toBeNull();
    });

    it("says which far side it is, and says the same again", async () => {
      const instance = await world.carrier().instance();
      expect(instance).not.toBeNull();
      expect(await world.carrier().instance()).toBe(instance);
    });

    it("rings a person once, tells it, and is told of the hang-up once", async () => {
      const call = await placed(dialOf(world.numberOf("rings")));
      await hears(call, "ringing");
      expect(await looked(call)).toMatchObject({ kind: "found", status: "ringing" });
      expect(await hungUp(call)).toBe("done");
      expect((await hears(call, "ended")).answeredAt).toBeNull();
      expect(await hungUp(call)).toBe("already_ended");
      expect(await isEnded(call)).toMatchObject({ answeredAt: null });
      expect(await world.rings(call)).toBe(1);
    });

    it("tells of an answered call: ringing before the answer, the end last, every event with an identity of its own", async () => {
      const call = await placed(dialOf(world.numberOf("talks")));
      const answered = await hears(call, "answered");
      expect(await looked(call)).toMatchObject({ kind: "found", status: "connected" });
      expect(await hungUp(call)).toBe("done");
      const ended = (await hears(call, "ended")) as Ended;
      expect(ended.answeredAt).not.toBeNull();
      const types = told(call).map(({ type }) => type);
      expect(types.indexOf("ended")).toBeGreaterThan(types.indexOf("answered"));
      expect(ended.occurredAt >= answered.occurredAt).toBe(true);
      const keys = told(call).map(({ dedupeKey }) => dedupeKey);
      expect(new Set(keys).size).toBe(keys.length);
      expect(new Set(told(call).map(({ carrierRef }) => carrierRef)).size).toBe(1);
      expect(await world.rings(call)).toBe(1);
    });

    it("says that the customer hung up", async () => {
      const call = await placed(dialOf(world.numberOf("hangs_up")));
      expect(await hears(call, "ended")).toMatchObject({ endReason: "customer_ended" });
      expect(await isEnded(call)).toMatchObject({ endReason: "customer_ended" });
    });

    it.each(what.refusals ?? REFUSALS)(
      "says %s of a dial that ends so, in its event and when it is looked up",
      async (refusal) => {
        const call = dialOf(world.refusedNumber(refusal) ?? nobodyAt(refusal), { ringTimeoutSeconds: 5 });
        const answer = await world.carrier().placeCall(call, LATEST);
        if (answer.kind === "rejected") return expect(answer.endReason).toBe(refusal);
        expect(await hears(call, "ended")).toMatchObject({ endReason: refusal, answeredAt: null });
        expect(await isEnded(call)).toMatchObject({ endReason: refusal, answeredAt: null });
        return expect(await world.rings(call)).toBe(1);
      },
    );

    it("tells an event again that was not taken, until it is", async () => {
      world.refuseEvents(3);
      const call = await placed(dialOf(world.numberOf("talks")));
      await hears(call, "answered");
      await hungUp(call);
      await hears(call, "ended");
      await hears(call, "ringing");
    });

    if (what.breaks ?? true)
      it("says unknown of a dial whose reply was lost, and knows the call when it is looked up", async () => {
        world.meets?.("lost_reply");
        const call = dialOf(world.numberOf("rings"));
        expect(await world.carrier().placeCall(call, LATEST)).toMatchObject({ kind: "unknown" });
        await eventually("the call to be found or told", async () => {
          if (told(call).length > 0) return true;
          return (await looked(call)).kind === "found";
        });
        await eventually("the ring", async () => (await world.rings(call)) === 1);
        await hungUp(call);
        expect(await world.rings(call)).toBe(1);
      });

    if (what.recordsSilence ?? true)
      it("names the recording of an ended call when it is looked up, also one that it never told of, until it is deleted", async () => {
        world.meets?.("untold_recording");
        const call = await placed(dialOf(world.numberOf("talks"), { recorded: true }));
        await hears(call, "answered");
        await hungUp(call);
        const recordingRef = await eventually(`the recording of ${call.callId}`, async () => {
          const found = await looked(call);
          return found.kind === "found" && found.status === "ended" ? found.recordingRef : null;
        });
        const recording = await world.carrier().recording(recordingRef);
        if (recording.kind !== "found") throw new Error(`The recording is ${recording.kind}`);
        expect((await Array.fromAsync(recording.bytes)).length).toBeGreaterThan(0);
        expect(await world.carrier().deleteRecording(recordingRef)).toBe("done");
        expect(await world.carrier().recording(recordingRef)).toEqual({ kind: "absent" });
        expect(await world.carrier().deleteRecording(recordingRef)).toBe("done");
      });

    if (what.breaks ?? true)
      it("accepts a call whose reply was slow", async () => {
        world.meets?.("slow_reply");
        const began = performance.now();
        const call = await placed(dialOf(world.numberOf("rings")));
        expect(performance.now() - began).toBeGreaterThan(900);
        await hungUp(call);
        expect(await world.rings(call)).toBeLessThanOrEqual(1);
      });

    it("sends nothing after the moment that it was given", async () => {
      const call = dialOf(world.numberOf("rings"));
      const answer = await world.carrier().placeCall(call, performance.now() - 1);
      expect(["unknown", "rejected"]).toContain(answer.kind);
      expect(await world.rings(call)).toBe(0);
    });

    it("claims of a call that nobody dialled nothing that it cannot know", async () => {
      const call = dialOf(world.numberOf("rings"), { dialBy: inMillis(3_600_000) });
      expect(["absent", "ambiguous"]).toContain((await looked(call)).kind);
    });

    it("answers ambiguous for a call of another far side, never absent", async () => {
      const call = dialOf(world.numberOf("rings"), { dialBy: inMillis(-60_000) });
      const answer = await world.carrier().lookup(await asked(call, "another far side"));
      expect(answer.kind).toBe("ambiguous");
    });

    it("goes on with its calls after a restart: found, told, and hung up", async () => {
      const call = await placed(dialOf(world.numberOf("rings")));
      await hears(call, "ringing");
      await world.restart();
      expect(await looked(call)).toMatchObject({ kind: "found", status: "ringing" });
      expect(await hungUp(call)).toBe("done");
      const found = await eventually(`the end of ${call.callId}`, () => isEnded(call));
      expect(found).toMatchObject({ answeredAt: null });
      expect(await world.rings(call)).toBe(1);
    });
  });
}
