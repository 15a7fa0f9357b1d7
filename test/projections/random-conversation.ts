import type { SessionEndCause, ToolCallOutcome } from "../../domain/call/conversation-events.ts";
import type { CallEvent } from "../../domain/call/events.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import { type Instant, instantFromMillis } from "../../domain/shared/instant.ts";
import {
  callbackAgreed,
  callEnd,
  callRequest,
  connected,
  cut,
  dialingBegan,
  digits,
  handedOver,
  judged,
  keys,
  sessionBegan,
  sessionEnded,
  spoken,
  talking,
  toolBegan,
  toolEnded,
  turnFailed,
} from "./example-events.ts";
import { seededRandom } from "./seeded-random.ts";

const OUTCOMES: readonly ToolCallOutcome[] = ["answered", "failed", "timed_out", "refused", "unknown"];
const LOST: readonly SessionEndCause[] = ["session_lost", "line_lost"];

export const PRESSED = "4711";

/**
 * A call that is answered and talked on: turns, cuts, tools, handoffs, keys, verdicts, agreements about
 * being called again, lost sessions; some words are erased.
 */
export function randomConversation(
  seed: number,
  callId: CallId,
  owner: OwnerId,
  steps: number,
): readonly CallEvent[] {
  const random = seededRandom(seed);
  let millis = Date.parse("2026-09-01T23:59:00.000Z") + random(5) * 86_400_000;
  const now = (): Instant => {
    millis += random(3_000);
    return instantFromMillis(millis);
  };
  const [ref, at] = [`ref-${callId}`, now()];
  const request = callRequest({ callId, owner, campaignId: null, contactId: null, attempt: 1, at });
  const events: CallEvent[] = [request, dialingBegan(callId, at), connected(callId, now(), ref)];
  let [epoch, index, turn, tools] = [1, 0, 0, 0];
  const asked: number[] = [];
  const uncut: number[] = [];
  const place = () => ({ callId, at: now(), epoch });
  const words = (text: string) => (random(12) === 0 ? null : `${text} ${index} ü`);
  events.push(sessionBegan(place(), null), talking(callId, now(), ref));
  for (let step = 0; step < steps; step += 1) move(random(13));
  events.push(callEnd(callId, now(), "customer_ended", random(90_000) / 1_000));
  if (random(2) === 0) events.push(sessionEnded(place(), "hung_up"));
  for (let number = random(4); number > 0; number -= 1) events.push(...analysis(number));
  return events;

  function analysis(number: number): CallEvent[] {
    const wish = { callId, analysisId: `${callId} ${number}` };
    const asked = { assistantId: "ast_1", assistantVersion: 2, schemaHash: "0", by: "engine" } as const;
    const request: CallEvent = { type: "CallAnalysisRequested", data: { ...wish, ...asked, at: now() } };
    const model = { name: "m", inputTokens: 10, outputTokens: null };
    switch (random(3)) {
      case 0:
        return [request];
      case 1:
        return [
          request,
          { type: "CallAnalysisFailed", data: { ...wish, at: now(), reason: "gave_up", tries: 5, model } },
        ];
      default: {
        const fields = { agreed: random(2) === 0, plan: `plan ${random(3)}`, note: "ü".repeat(random(300)) };
        const told = { evidence: { agreed: [0] }, unsupported: [], enums: ["plan"], summary: words("sum") };
        const data = { ...wish, at: now(), fields, ...told, success: fields.agreed, truncated: false, model };
        return [request, { type: "CallAnalysed", data }];
      }
    }
  }

  function move(roll: number): void {
    if (roll < 2) {
      turn += random(3) === 0 ? 0 : 1;
      events.push(spoken(place(), { index, role: "customer", content: words("customer"), turn }));
      index += 1;
    } else if (roll < 5) answer();
    else if (roll === 5) interrupt();
    else if (roll === 6) {
      tools += 1;
      asked.push(tools);
      events.push(toolBegan(place(), { n: tools, index, turn }));
      index += 1;
    } else if (roll === 7) {
      const n = asked.shift();
      const outcome = OUTCOMES[random(OUTCOMES.length)] ?? "answered";
      if (n !== undefined) events.push(toolEnded(place(), n, outcome, words("200")));
    } else if (roll === 8) {
      tools += 1;
      events.push(handedOver(place(), { n: tools, index, turn }));
      index += 1;
    } else if (roll === 9) {
      if (random(2) === 0) events.push(sessionEnded(place(), LOST[random(LOST.length)] ?? "session_lost"));
      epoch += 1;
      events.push(sessionBegan(place(), random(5_000)));
    } else if (roll === 10) press();
    else if (roll === 11) agree();
    else events.push(random(2) === 0 ? judged(place(), "machine") : turnFailed(place(), turn));
  }

  /** Agreed, noted only, or taken back. */
  function agree(): void {
    tools += 1;
    events.push(toolBegan(place(), { n: tools, index, turn }));
    const asked = random(4) === 0 ? null : "2026-09-09T10:00";
    const callbackAt = asked === null || random(3) === 0 ? null : "2026-09-09T07:00:00.000Z";
    const note = asked === null ? null : words("note");
    events.push(callbackAgreed(place(), index, { asked, callbackAt, note }));
    events.push(toolEnded(place(), tools, "answered", words("agreed")));
    index += 1;
  }

  function press(): void {
    const pressed = random(3) === 0 ? null : PRESSED;
    if (random(2) === 0) events.push(digits(place(), turn, pressed));
    else {
      events.push(...keys(place(), { index, turn }, pressed));
      index += 1;
    }
  }

  function answer(): void {
    const made = random(3);
    const model = {
      name: `model-${random(2)}`,
      inputTokens: made === 0 ? null : random(900),
      outputTokens: 7,
    };
    const timing = {
      firstTokenMillis: random(2) === 0 ? null : random(900) + 0.5,
      firstAudioMillis: random(900),
    };
    const said = { index, role: "assistant", content: words("assistant"), kind: "answer", turn } as const;
    events.push(spoken(place(), made === 1 ? said : { ...said, model, timing }));
    uncut.push(index);
    index += 1;
  }

  function interrupt(): void {
    const last = uncut.pop();
    if (last !== undefined) events.push(cut(place(), last, words("heard")));
  }
}
