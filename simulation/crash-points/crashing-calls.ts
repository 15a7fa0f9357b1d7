import type { Admission } from "../../application/ports/admission.ts";
import type { Carrier, CarrierEventSink } from "../../application/ports/carrier.ts";
import type { Carriers } from "../../application/ports/carriers.ts";
import type { Imports } from "../../application/ports/imports.ts";
import type { Leases } from "../../application/ports/leases.ts";
import type { Around } from "./around.ts";

export function crashingAdmission<P extends Admission>(port: P, around: Around): P {
  return {
    ...port,
    admit: (request) => around("admission.admit", () => port.admit(request)),
    close: (settlements) => around("admission.close", () => port.close(settlements)),
    setNextLooks: (looks) => around("admission.setNextLooks", () => port.setNextLooks(looks)),
  };
}

/** A carrier has the same points, however it was opened. */
export function crashingCarriers<P extends Carriers>(port: P, around: Around): P {
  return {
    ...port,
    route: async (owner, connectionId, to) => {
      const route = await port.route(owner, connectionId, to);
      return route === null ? null : { ...route, carrier: crashingCarrier(route.carrier, around) };
    },
    dialledOn: async (owner, identity) => {
      const carrier = await port.dialledOn(owner, identity);
      return carrier === null ? null : crashingCarrier(carrier, around);
    },
    every: async () =>
      (await port.every()).map((route) => ({ ...route, carrier: crashingCarrier(route.carrier, around) })),
  };
}

export function crashingCarrier(carrier: Carrier, around: Around): Carrier {
  return {
    ...carrier,
    placeCall: (call, sendBy) => around("carrier.placeCall", () => carrier.placeCall(call, sendBy)),
    hangUp: (call) => around("carrier.hangUp", () => carrier.hangUp(call)),
    lookup: (call) => around("carrier.lookup", () => carrier.lookup(call)),
    deleteRecording: (ref) => around("carrier.deleteRecording", () => carrier.deleteRecording(ref)),
  };
}

export function crashingCarrierEvents(sink: CarrierEventSink, around: Around): CarrierEventSink {
  return (event) => around("carrierEvents.take", () => sink(event));
}

export function crashingImports<P extends Imports>(port: P, around: Around): P {
  return {
    ...port,
    begin: (row) => around("imports.begin", () => port.begin(row)),
    sealed: (importId) => around("imports.sealed", () => port.sealed(importId)),
  };
}

/**
 * Named by the purpose of the lease: `leases.acquire.campaign.after`, which is reached only if
 * the lease was acquired.
 */
export function crashingLeases<P extends Leases>(port: P, around: Around): P {
  return {
    ...port,
    acquire: (name, holder, ttl) =>
      around(`leases.acquire.${name.split(":")[0]}`, () => port.acquire(name, holder, ttl), Boolean),
  };
}
