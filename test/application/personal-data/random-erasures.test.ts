import { afterEach, beforeEach, expect, it } from "vitest";
import { callStream } from "../../../application/log/stream-names.ts";
import { runErasure } from "../../../application/personal-data/erasure-steps.ts";
import type { CallEvent } from "../../../domain/call/events.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { instantFromMillis } from "../../../domain/shared/instant.ts";
import { createEventCodec } from "../../../infrastructure/log/codec.ts";
import { seededRandom } from "../../../simulation/campaigns/seeded-random.ts";
import type { CrashPoints } from "../../../simulation/crash-points/crash-points.ts";
import { eventsToAppend } from "../../../simulation/memory/subject-keys.ts";
import { type ErasingWorld, erasingWorld } from "./erasing-world.ts";

const OWNER = "usr_1";
const STEPS = 60;
const POINTS = [
  "journal.add.before",
  "erasures.eraseKeys.before",
  "erasures.eraseKeys.after",
  "erasures.clear.after",
];

let world: ErasingWorld;
beforeEach(async () => {
  world = await erasingWorld();
});
afterEach(() => world.drop());

/** Every word ever said, by the call that it was said on. */
type Model = Map<CallId, { readonly words: string[]; erased: boolean }>;

async function begin(model: Model, callId: CallId): Promise<void> {
  const at = instantFromMillis(Date.now());
  await world.callWithWords({ callId, owner: OWNER, at, endedAt: at });
  model.set(callId, { words: ["the secret"], erased: false });
}

async function say(model: Model, callId: CallId, word: string): Promise<void> {
  const stream = callStream(callId);
  const at = instantFromMillis(Date.now());
  const { length } = await world.eventStore.read(stream);
  const message = {
    index: length,
    role: "customer",
    assistantId: null,
    content: word,
    at,
    offsetMs: 1,
  } as const;
  const data = { callId, at, carrierRef: "ref-1", sequence: length, message };
  const said: CallEvent = { type: "CallMessageAdded", data };
  const events = await eventsToAppend(createEventCodec(world.keys), OWNER, [said]);
  await world.eventStore.append(stream, length - 1, events);
  // What comes later for an erased call is stored without its words.
  model.get(callId)?.words.push(word);
}

async function erase(model: Model, callIds: readonly CallId[], id: `ers_${string}`, diesAt: string | null) {
  const dying: CrashPoints = {
    reached: (point) => {
      if (point === diesAt) throw new Error("died");
      return undefined;
    },
  };
  const erasure = { id, owner: OWNER, kind: "phone_number", callId: null, phoneNumber: null } as const;
  const asker = { owner: OWNER, actor: "key_1", correlationId: id } as const;
  const { erasures, clock } = world.process();
  await erasures.begin({ ...erasure, recordings: 0, createdAt: clock.now() }, callIds);
  for (const crashPoints of diesAt === null ? [null] : [dying, null])
    await runErasure(world.process(crashPoints), { ...erasure, callIds }, asker);
  for (const callId of callIds) {
    const known = model.get(callId);
    if (known !== undefined) known.erased = true;
  }
}

/** The log as it is stored, and as it reads. */
async function expectAsKnown(model: Model): Promise<void> {
  for (const [callId, { words, erased }] of model) {
    const stored = await world.eventStore.read(callStream(callId));
    const read = JSON.stringify(await createEventCodec(world.keys).withWords(stored));
    for (const word of words) {
      expect(JSON.stringify(stored)).not.toContain(word);
      expect([callId, word, read.includes(word)]).toEqual([callId, word, !erased]);
    }
  }
}

it.each([1, 2, 3])(
  "words are read as long as nobody has erased them, and never again (seed %i)",
  async (seed) => {
    const { fraction: random } = seededRandom(seed);
    const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
    const model: Model = new Map();
    for (let step = 0; step < STEPS; step += 1) {
      const known = [...model.keys()];
      const callId = pick(known);
      const dice = random();
      if (callId === undefined || dice < 0.3) await begin(model, `call_r${seed}x${step}`);
      else if (dice < 0.8) await say(model, callId, `word${seed}x${step}y`);
      else {
        const others = known.filter(() => random() < 0.1);
        const diesAt = random() < 0.5 ? (pick(POINTS) ?? null) : null;
        await erase(model, [...new Set([callId, ...others])], `ers_r${seed}x${step}`, diesAt);
      }
    }
    await expectAsKnown(model);
    const fates = [...model.values()].map(({ erased }) => erased);
    expect(new Set(fates)).toEqual(new Set([true, false]));
  },
);
