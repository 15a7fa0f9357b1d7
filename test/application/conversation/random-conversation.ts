import type { EventStore } from "../../../application/ports/event-store.ts";
import type { ModelRequest } from "../../../application/ports/language-model.ts";
import type { PinnedSpeaker } from "../../../application/ports/pinned-conversations.ts";
import type { ToolResult } from "../../../application/ports/tool-runner.ts";
import { noEvidence } from "../../../domain/conversation/tool-words.ts";
import { type Instant, instantFromMillis } from "../../../domain/shared/instant.ts";
import { type SeededRandom, seededRandom } from "../../../simulation/campaigns/seeded-random.ts";
import type { VirtualClock } from "../../../simulation/campaigns/virtual-clock.ts";
import { conversationWorld, SPEAKER, until } from "../../support/conversation/conversation-world.ts";
import type { LineSession } from "../../support/conversation/line-session.ts";
import type { Answer } from "../../support/conversation/scripted-models.ts";
import { judgeConversation } from "./judge-conversation.ts";

const WORDS =
  "yes no maybe I would like a table for four people on Friday evening please thank you very much indeed".split(
    " ",
  );
const MAX_SECONDS = 90;

const handoff = (toMemberId: `mbr_${string}`, toolName: string) => ({
  toMemberId,
  toolName,
  description: "when asked",
  message: "I hand you over.",
  contextMode: "all" as const,
  contextMaxMessages: null,
  variables: [],
});

const SPEAKERS: readonly PinnedSpeaker[] = [
  {
    ...SPEAKER,
    memberId: "mbr_a",
    optOut: "listen",
    optOutDigit: "9",
    callback: { maxDays: 14, maxPerContact: 2 },
    tools: [tool("book", "POST"), tool("look_up", "GET")],
    handoffs: [handoff("mbr_b", "handoff_to_bob")],
  },
  {
    ...SPEAKER,
    memberId: "mbr_b",
    assistantId: "ast_2",
    name: "Bob",
    optOut: "listen",
    tools: [tool("book", "POST")],
    handoffs: [handoff("mbr_a", "handoff_to_ada")],
  },
];

function tool(name: string, method: string): PinnedSpeaker["tools"][number] {
  return {
    toolId: `tool_${name}`,
    name,
    functionName: name,
    type: "API_REQUEST",
    description: `does ${name}`,
    config: { method, url: "https://example.com" },
  };
}

function sentence(random: SeededRandom): string {
  const words = Array.from(
    { length: random.between(1, 14) },
    () => WORDS[random.between(0, WORDS.length - 1)],
  );
  return `${words.join(" ")}${random.pick([".", "?", ""])}`;
}

/** What the model says next: mostly a sentence in pieces, at times everything else that a model can do. */
function answer(random: SeededRandom): Answer {
  const wait = {
    wait: random.weighted(
      [
        [random.between(20, 600), 20],
        [random.between(600, 14_000), 2],
      ],
      100,
    ),
  };
  const text = sentence(random);
  const cut = random.between(0, text.length);
  const words = [
    wait,
    { text: text.slice(0, cut) },
    { wait: random.between(0, 800) },
    { text: text.slice(cut) },
  ];
  const name = random.pick([
    "book",
    "look_up",
    "book",
    "handoff_to_bob",
    "handoff_to_ada",
    "nothing_like_it",
    "stop_calling",
    "call_back_later",
  ]);
  const call = {
    call: name,
    with: random.weighted(
      [
        ["{}", 8],
        ['{"n":1}', 3],
        ['{"at":"2026-09-02T10:00","note":"x"}', 3],
        ['{"at":null}', 1],
        ["not json", 1],
      ],
      "[]",
    ),
  };
  return random.weighted<Answer>(
    [
      [words, 40],
      [[wait, call], 14],
      [[...words, call], 8],
      [[wait, call, { call: "look_up" }], 4],
      [[...words, { call: "end_call" }], 3],
      [
        [
          wait,
          { fail: random.pick(["cut_off", "stalled", "garbage", "throttled", "unavailable", "refused"]) },
        ],
        6,
      ],
      [[...words, { fail: "cut_off" }], 3],
      [[wait, { end: random.pick(["stop", "content_filter", "length"]) }], 2],
      [[{ wait: 60_000 }], 1],
      [[{ forever: random.pick(["blah ", " ", "x"]) }], 2],
    ],
    words,
  );
}

async function runTool(random: SeededRandom, sleep: (millis: number) => Promise<void>): Promise<ToolResult> {
  await sleep(
    random.weighted(
      [
        [random.between(5, 300), 10],
        [random.between(300, 8_000), 4],
        [60_000, 1],
      ],
      10,
    ),
  );
  const outcome = random.weighted<ToolResult["outcome"]>(
    [
      ["answered", 8],
      ["failed", 1],
      ["timed_out", 1],
    ],
    "answered",
  );
  return { outcome, shown: "200\nok", isError: outcome !== "answered", evidence: noEvidence };
}

/** In words, in two pieces of a turn, or by a key. */
async function optOut(
  random: SeededRandom,
  sleep: (millis: number) => Promise<void>,
  line: LineSession,
): Promise<void> {
  const way = random.pick(["words", "pieces", "key"]);
  if (way === "key") line.press("9");
  else if (way === "words") line.say("Never call me again.");
  else {
    line.say("Please never");
    await sleep(random.between(50, 700));
    line.say("call me again.");
  }
}

/** The callee: talks, is silent, coughs, types, interrupts, never stops, or hangs up. */
async function beCallee(
  random: SeededRandom,
  sleep: (millis: number) => Promise<void>,
  line: LineSession,
): Promise<void> {
  while (line.closedWith() === null) {
    await sleep(
      random.weighted(
        [
          [random.between(50, 3_000), 10],
          [random.between(3_000, 30_000), 2],
        ],
        500,
      ),
    );
    const act = random.weighted<string>(
      [
        ["talk", 30],
        ["burst", 3],
        ["cough", 3],
        ["type", 3],
        ["silent_talk", 2],
        ["hang_up", 1],
        ["opt_out", 2],
        ["lost", 1],
        ["endless", 1],
      ],
      "talk",
    );
    if (act === "hang_up") return line.close("hung_up");
    if (act === "session_lost") return line.close("session_lost");
    if (act === "talk") {
      line.startSpeaking();
      await sleep(random.between(200, 2_500));
      if (random.chance(0.2)) {
        line.finishSpeaking(sentence(random), true);
        await sleep(random.between(100, 1_000));
      }
      line.finishSpeaking(sentence(random));
    } else if (act === "burst") for (let n = random.between(2, 12); n > 0; n -= 1) line.say(sentence(random));
    else if (act === "cough") {
      line.startSpeaking();
      line.finishSpeaking("");
    } else if (act === "type") for (const digit of random.pick(["12#", "7", "#", "00x1"])) line.press(digit);
    else if (act === "opt_out") await optOut(random, sleep, line);
    else if (act === "silent_talk") line.finishSpeaking(sentence(random));
    else {
      for (let n = 0; n < 30 && line.closedWith() === null; n += 1) {
        line.startSpeaking();
        await sleep(1_000);
      }
      line.finishSpeaking("");
    }
  }
}

/** Told every 2 s, as long as the line is open. */
function lastSign(clock: VirtualClock, line: LineSession): Instant {
  const since = clock.monotonicMillis() - (line.closedAt() ?? clock.monotonicMillis());
  return instantFromMillis(Math.floor((clock.nowMillis() - since) / 2_000) * 2_000);
}

async function* nothing(): AsyncGenerator<never> {
  await new Promise(() => undefined);
}

/**
 * One conversation from a seed: callee, model, tools, the log's moods and the crashes of the process.
 * Answers what was broken.
 */
export async function randomConversation(seed: number): Promise<readonly string[]> {
  const random = seededRandom(seed);
  const crashes = random.weighted(
    [
      [0, 5],
      [1, 3],
      [2, 2],
      [3, 1],
    ],
    0,
  );
  let generation = 0;
  let gates = 0;
  let dieAt = crashes > 0 ? random.between(1, 40) : Number.POSITIVE_INFINITY;
  let crashed = Promise.withResolvers<void>();
  const slow = random.chance(0.2);

  /** Everything that leaves the process goes through here, and may be the last that it does. */
  const mayDie = (): void => {
    gates += 1;
    if (gates === dieAt) {
      generation += 1;
      crashed.resolve();
    }
  };
  const wrapStore = (store: EventStore): EventStore => {
    const mine = generation;
    const never = () => new Promise<never>(() => undefined);
    return {
      ...store,
      append: async (...given) => {
        mayDie();
        if (mine !== generation) return never();
        if (slow && random.chance(0.1)) await world.clock.sleep(random.between(100, 4_000));
        const result = await store.append(...given);
        mayDie();
        return mine === generation ? result : never();
      },
      read: async (...given) => (mine === generation ? store.read(...given) : never()),
    };
  };
  let started = false;
  let diedAt: Instant | null = null;
  const world = await conversationWorld({
    seed,
    speakers: SPEAKERS.map((each) => ({ ...each, interruptible: random.chance(0.85) })),
    call: { maxDurationSeconds: MAX_SECONDS },
    answer: (_request: ModelRequest) => answer(random),
    runTool: (run) => {
      mayDie();
      return runTool(random, world.clock.sleep).finally(() => void run);
    },
    wrapStore: (store) => (started ? wrapStore(store) : store),
    models: (models) => {
      const mine = generation;
      return {
        open: async (...given) => {
          const model = await models.open(...given);
          return {
            respond: (request, limits) => (mine === generation ? model.respond(request, limits) : nothing()),
          };
        },
      };
    },
    checkArguments: () => (random.chance(0.1) ? "The argument n is missing." : null),
  });
  started = true;

  const sessionsBegan = () => world.types().filter((type) => type === "CallSessionBegan").length;
  for (let life = 0; life <= crashes; life += 1) {
    const mine = generation;
    const before = sessionsBegan();
    crashed = Promise.withResolvers<void>();
    const worker = world.startProcess(
      () => mine !== generation,
      () => diedAt,
    );
    const settings = { tells: random.pick(["words", "millis", "nothing"] as const) };
    const line = await world.connect(settings, worker, crashed.promise);
    if (mine === generation) {
      const talk = beCallee(random, world.clock.sleep, line);
      await until(world.clock, Promise.race([talk, crashed.promise]));
    }
    if (mine === generation) break;
    if (sessionsBegan() > before) diedAt = lastSign(world.clock, line);
    world.lines.at(-1)?.die();
    world.generations.forget();
    if (life === crashes - 1) dieAt = Number.POSITIVE_INFINITY;
    else dieAt = gates + random.between(1, 40);
    await world.pass(random.between(500, 14_000));
  }
  const last = generation;
  await world.pass(20_000);
  // Its process died when the line was closed already: what was heard goes by time, as for a line that died.
  if (last !== generation) world.lines.at(-1)?.die();
  return judgeConversation(world);
}
