import { TOOL_ARGUMENTS } from "../../application/conversation/conversations.ts";
import type { PinnedSpeaker } from "../../application/ports/pinned-conversations.ts";
import type { PinnedTool, ToolResult } from "../../application/ports/tool-runner.ts";
import { readRun } from "../../application/rehearsal/run-facts.ts";
import type { CalleeBehaviour } from "../../application/voice/callee/behaviour.ts";
import { createCalleeSession } from "../../application/voice/callee/callee-session.ts";
import type { EndReason } from "../../domain/call/end-reason.ts";
import type { CallEvent, CallRequested } from "../../domain/call/events.ts";
import { noEvidence } from "../../domain/conversation/tool-words.ts";
import { pastCallOf } from "../../domain/rehearsal/past-call.ts";
import { behaviourOf } from "../../simulation/callee/personas.ts";
import { type SeededRandom, seededRandom } from "../../simulation/campaigns/seeded-random.ts";
import { played, SCRIPTED } from "../application/rehearsal/rehearsed-run.ts";
import { conversationWorld, SPEAKER, until } from "../support/conversation/conversation-world.ts";

const GREETINGS = [
  "Hello, this is Ada.",
  "Hello, this is the dental clinic. You have an appointment on Tuesday at ten. Will you come?",
  "Hello, this is Ada. To confirm, press 1. To move it, press 2.",
  "Hello, this is Ada. Just say so if we should never call you again. Is this a good moment?",
  "Hello, this is Ada of the clinic. Shall we call you back later, or is now fine?",
  "",
] as const;

const CUSTOMERS = [
  ["talks", 12],
  ["opts_out_by_word", 1],
  ["opts_out_by_key", 1],
  ["asks_for_a_call", 2],
  ["agrees", 2],
  ["never_hangs_up", 1],
] as const;

const CALLBACK: NonNullable<CallRequested["data"]["callback"]> = {
  zone: "Europe/Berlin",
  window: null,
  left: 3,
  maxDays: 30,
};

/**
 * A call of the simulation, and the same call played again as a case: as records show them. null: nobody
 * knows what a tool of it answered, as it was still running at the end, or why that was followed by nothing:
 * who spoke over the end left no words.
 */
export async function rehearsedAgain(
  seed: number,
): Promise<{ readonly call: readonly string[]; readonly again: readonly string[] } | null> {
  const random = seededRandom(seed, "rehearsed again");
  const speakers = speakersOf(random);
  const call = callOf(seed, random);
  const { events, endReason } = await simulatedCall(seed, random, call, speakers);
  const count = (type: CallEvent["type"]) => events.filter((event) => event.type === type).length;
  if (count("CallToolBegan") > count("CallToolEnded")) return null;
  if (endReason === "max_duration" && isUnanswered(events)) return null;
  const past = pastCallOf(events);
  if (past === null) throw new Error("The call has no session");
  const conversation = {
    version: 1 as const,
    owner: "usr_1" as const,
    squadId: null,
    squadName: "Team",
    speakers,
  };
  const run = await played({
    line: { conversation, maxDurationSeconds: call.maxDurationSeconds ?? 300 },
    speakers,
    case: { caller: { kind: "past", call: past }, at: past.begunAt, maxTurns: 500 },
  });
  const { messages } = readRun(events, conversation, new Set());
  return {
    call: shown(messages, run.messages, endReason),
    again: shown(run.messages, messages, run.endReason),
  };
}

/** Nothing was said of what the last tool answered. */
function isUnanswered(events: readonly CallEvent[]): boolean {
  const answered = events.findLastIndex(
    (event) => event.type === "CallMessageAdded" && event.data.message.kind === "answer",
  );
  return events.findLastIndex(({ type }) => type === "CallToolEnded") > answered;
}

type Shown = ReturnType<typeof readRun>["messages"];

/**
 * The clock cuts a message, for the warning or for good, at a millisecond, and times of the log are cut to
 * milliseconds: how much of it was heard is not compared, and one that had its first word in the one may not
 * have begun in the other.
 */
function shown(messages: Shown, others: Shown, endReason: EndReason | null): readonly string[] {
  const isCut = ({ role }: Shown[number], next: Shown[number] | undefined) =>
    role === "assistant" && (next === undefined ? endReason === "max_duration" : next.kind === "warning");
  const whole = ({ intended, content }: Shown[number]) => intended ?? content;
  const isHere = (message: Shown[number]) =>
    others.some((other) => other.turn === message.turn && whole(other) === whole(message));
  const begun = messages.filter(
    (message, index) =>
      !isCut(message, messages[index + 1]) || message.content?.includes(" ") !== false || isHere(message),
  );
  const lines = begun.map((message, index) => {
    const { role, kind, content, intended, turn, toolName, arguments: given, result } = message;
    const heard = isCut(message, begun[index + 1]) ? ["to the end", whole(message)] : [content, intended];
    return JSON.stringify([role, kind, turn, ...heard, toolName, given, result]);
  });
  return [...lines, endReason ?? "goes on"];
}

function callOf(seed: number, random: SeededRandom): Partial<CallRequested["data"]> {
  return {
    callId: `call_${seed}`,
    greetingMessage: random.pick(GREETINGS),
    maxDurationSeconds: random.weighted(
      [
        [40, 1],
        [90, 2],
      ],
      300,
    ),
    customData: { due: "Friday", amount: 12 },
    contactName: "Ada Byron",
    ...(random.chance(0.5) ? { callback: CALLBACK } : {}),
  };
}

function speakersOf(random: SeededRandom): readonly PinnedSpeaker[] {
  const ada: PinnedSpeaker = {
    ...SPEAKER,
    silenceTimeoutSeconds: random.pick([3, 5, 9, 20]),
    interruptible: !random.chance(0.1),
    recordingNotice: random.chance(0.2) ? "This call is recorded." : null,
    optOut: random.chance(0.8) ? "listen" : "off",
    optOutDigit: random.chance(0.5) ? "9" : null,
    optOutMessage: null,
    callback: random.chance(0.5) ? { maxDays: 30, maxPerContact: 3 } : null,
    tools: TOOLS.filter(() => random.chance(0.6)),
  };
  if (random.chance(0.7)) return [ada];
  const link = {
    description: "transfer to a person",
    contextMode: "all",
    contextMaxMessages: null,
  } as const;
  const to = {
    toMemberId: "mbr_b" as const,
    toolName: "to_person",
    message: "One moment please.",
    variables: [],
  };
  const first = { ...ada, memberId: "mbr_a" as const, handoffs: [{ ...link, ...to }] };
  return [first, { ...ada, memberId: "mbr_b", assistantId: "ast_2", name: "Grace", handoffs: [] }];
}

const TOOLS: readonly PinnedTool[] = [
  tool("look_up_account", "Looks up what is open on the account", "https://example.com/open"),
  tool("find_invoice", "Finds an invoice by its words", "https://example.com/invoice?about={about}"),
  {
    ...tool("put_through", "Connects to a person", ""),
    type: "TRANSFER_CALL",
    config: { to: "+15005550006", message: "I connect you." },
  },
];

function tool(functionName: string, description: string, url: string): PinnedTool {
  return {
    toolId: `tool_${functionName}`,
    name: functionName,
    functionName,
    type: "API_REQUEST",
    description,
    config: { method: "GET", url },
  };
}

async function simulatedCall(
  seed: number,
  random: SeededRandom,
  call: Partial<CallRequested["data"]>,
  speakers: readonly PinnedSpeaker[],
): Promise<{ readonly events: readonly CallEvent[]; readonly endReason: EndReason }> {
  const world = await conversationWorld({
    seed,
    call,
    speakers,
    models: () => SCRIPTED,
    argumentsSchema: TOOL_ARGUMENTS.argumentsSchema,
    runTool: async () => {
      const millis = random.pick([0, 300, 1_700, 4_000, 7_900]);
      await world.clock.sleep(millis);
      return random.pick(RESULTS);
    },
  });
  const over = Promise.withResolvers<EndReason>();
  const { conversations, aggregates } = world.startProcess();
  const outcome = random.weighted(CUSTOMERS, "talks");
  const simulated = behaviourOf({ seed, to: world.request.to, dialsBefore: 0, outcome });
  const opened = createCalleeSession({
    clock: world.clock,
    speed: 1,
    behaviour: random.chance(0.2) ? inAHurry(simulated, random.between(0, 3)) : simulated,
    linesSaid: 0,
    events: {
      onSaid: () => undefined,
      onHangUp: () => over.resolve("customer_ended"),
      onFinished: () => over.resolve("assistant_ended"),
      onTransferred: () => over.resolve("transferred"),
    },
  });
  const talk = async (): Promise<void> => {
    const listener = await conversations.arrive({ callId: world.request.callId, session: opened.session });
    if (listener === null) throw new Error("The call takes no session");
    opened.listen(listener);
    const endReason = await over.promise;
    const occurredAt = world.clock.now();
    await aggregates.calls.handle(
      world.stream,
      [
        {
          type: "RecordEnded",
          endReason,
          endedBy: endReason === "customer_ended" ? "customer" : null,
          answeredAt: null,
          answeredBy: null,
          recordingExpected: false,
          error: null,
          carrierRef: "ref",
          sequence: null,
          occurredAt,
          now: world.clock.now(),
        },
      ],
      world.origin,
    );
    await conversations.allOver();
  };
  await until(world.clock, talk());
  const events = world.events();
  const end = events.find((event) => event.type === "CallCompleted" || event.type === "CallFailed");
  return { events, endReason: end?.data.endReason ?? "outcome_unknown" };
}

/** Nobody of the simulation hangs up before the scripted model does. */
function inAHurry(simulated: CalleeBehaviour, lines: number): CalleeBehaviour {
  return {
    ...simulated,
    reacts: (linesSaid, heard, utterances) =>
      linesSaid >= lines
        ? { kind: "hang_up", pauseMillis: 1_700 }
        : simulated.reacts(linesSaid, heard, utterances),
  };
}

const ANSWERED: ToolResult = {
  outcome: "answered",
  shown: '200\n{"open":"120 euros"}',
  isError: false,
  evidence: noEvidence,
};
const RESULTS = [
  ANSWERED,
  ANSWERED,
  { outcome: "failed", shown: "The tool failed.", isError: true, evidence: noEvidence },
  { outcome: "timed_out", shown: "There was no answer.", isError: true, evidence: noEvidence },
] as const satisfies readonly ToolResult[];
