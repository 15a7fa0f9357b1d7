import type { EndReason } from "../../domain/call/end-reason.ts";
import type { AnsweredBy, EndedBy } from "../../domain/call/events.ts";
import type { CarrierFaults } from "./scenario.ts";
import { seededRandom } from "./seeded-random.ts";

/**
 * How the carrier handles a dial request. `arrives`: when the request reaches it, if ever; `replies`: when
 * its reply reaches us, if ever.
 */
export type Placement =
  | { readonly kind: "accepted"; readonly arrives: number; readonly replies: number | null }
  | { readonly kind: "lost" }
  | { readonly kind: "refused connection" }
  | { readonly kind: "rejected"; readonly arrives: number; readonly endReason: EndReason };

/** What the callee (or the line) does, in milliseconds after the request has arrived; null: never. */
export type CallScript = {
  readonly placement: Placement;
  readonly answersAt: number | null;
  readonly answeredBy: AnsweredBy;
  readonly messages: number;
  /** Asks never to be called again. */
  readonly optsOut: boolean;
  /** Asks to be called again, and what comes after that. null: does not ask. */
  readonly callback: "asks" | "asks twice" | "takes it back" | "opts out then" | null;
  /** null: rings or talks until the other side ends it. */
  readonly endsAt: number | null;
  readonly endReason: EndReason;
  readonly endedBy: EndedBy | null;
  /** The carrier sends no events of this call. */
  readonly silent: boolean;
  readonly recording: boolean;
};

type Kind = "talks" | "busy" | "no answer" | "declined" | "machine" | "drops" | "never ends" | "rings on";

const KINDS: readonly (readonly [Kind, number])[] = [
  ["talks", 45],
  ["busy", 13],
  ["no answer", 10],
  ["declined", 5],
  ["machine", 6],
  ["drops", 5],
  ["never ends", 3],
  ["rings on", 3],
];

const CALLBACKS: readonly (readonly [NonNullable<CallScript["callback"]>, number])[] = [
  ["asks", 12],
  ["asks twice", 3],
  ["takes it back", 2],
  ["opts out then", 3],
];

/** Probabilities that whoever talks asks never to be called again, or to be called another time. */
export type Wishes = { readonly optOuts: number; readonly callbacks: number };

/** The n-th dial of a number takes the same course in every run of a seed, whatever crashes around it. */
export function scriptFor(
  { seed, optOuts, callbacks }: Wishes & { readonly seed: number },
  number: string,
  nth: number,
  faults: CarrierFaults,
): CallScript {
  const random = seededRandom(seed, `${number}/${nth}`);
  const kind = random.weighted(KINDS, "talks");
  const answers = kind === "talks" || kind === "machine" || kind === "drops" || kind === "never ends";
  const answersAt = answers ? random.between(500, 20_000) : null;
  const [endReason, endedBy] = endOf(kind, random.chance(0.5));
  const rings = random.between(300, kind === "no answer" ? 55_000 : 10_000);
  const talks = random.between(1_000, 90_000);
  // Drawn separately, so that the rest of every seed stays the same.
  const optsOut = answers && seededRandom(seed, `${number}/${nth} opts out`).chance(optOuts);
  const wish = seededRandom(seed, `${number}/${nth} calls again`);
  const callback = answers && !optsOut && wish.chance(callbacks) ? wish.weighted(CALLBACKS, "asks") : null;
  const spoken = callback === null ? (optsOut ? 2 : 0) : callback === "asks" ? 2 : 4;
  const endsAt =
    kind === "never ends" || kind === "rings on" ? null : (answersAt ?? rings) + (answers ? talks : 0);
  return {
    placement: placementOf(random, faults),
    answersAt,
    answeredBy: kind === "machine" ? "machine" : "human",
    messages: Math.max(spoken, answers ? random.between(0, 3) : 0),
    optsOut,
    callback,
    endsAt,
    endReason,
    endedBy,
    silent: random.chance(faults.silent),
    recording: answers && random.chance(0.7),
  };
}

function placementOf(random: ReturnType<typeof seededRandom>, faults: CarrierFaults): Placement {
  if (random.chance(faults.refusedConnection)) return { kind: "refused connection" };
  if (random.chance(faults.requestLost)) return { kind: "lost" };
  const arrives = random.chance(faults.slowAccept) ? random.between(1_000, 8_000) : random.between(5, 80);
  if (random.chance(faults.replyLost)) return { kind: "accepted", arrives, replies: null };
  if (random.chance(0.06)) {
    return { kind: "rejected", arrives, endReason: random.pick(["invalid_number", "carrier_error", "busy"]) };
  }
  return { kind: "accepted", arrives, replies: arrives + random.between(5, 400) };
}

function endOf(kind: Kind, byCustomer: boolean): readonly [EndReason, EndedBy | null] {
  switch (kind) {
    case "talks":
      return byCustomer ? ["customer_ended", "customer"] : ["assistant_ended", "assistant"];
    case "machine":
      return ["voicemail", "assistant"];
    case "busy":
      return ["busy", null];
    case "no answer":
      return ["no_answer", null];
    case "declined":
      return ["declined", "customer"];
    case "drops":
      return ["connection_lost", null];
    case "never ends":
    case "rings on":
      return ["api_ended", "api"];
  }
}
