import type { Of } from "../shared/decider.ts";
import { millisOf } from "../shared/instant.ts";
import { isUnanswered } from "./customer.ts";
import { endUnknownTools, fallSilent } from "./ending.ts";
import { beginningByTime, speechMillis } from "./heard.ts";
import { UNKNOWN_TOOL_MILLIS, WARNING_MILLIS } from "./limits.ts";
import { type Move, setTimer } from "./move.ts";
import type { Past, SaidEntry } from "./past.ts";
import { record, type Word } from "./recording.ts";
import { sayLine } from "./speaking.ts";
import { speakerNow } from "./state.ts";
import { textsFor } from "./texts.ts";
import { followPolicy } from "./voicemail.ts";

/**
 * The session is open. The greeting is said once a call; what an older session left unfinished is continued.
 */
export function open(move: Move): void {
  const { past } = move;
  if (past.ended || past.endWished) {
    fallSilent(move);
    return;
  }
  watchDuration(move);
  cutUnfinished(move);
  const started: Word[] = past.started ? [] : [{ type: "StartConversation" }];
  if (past.answeredBy === "machine" && move.script.voicemailPolicy !== "ignore" && past.turns === 0) {
    if (started.length > 0) record(move, ...started);
    followPolicy(move, false);
    return;
  }
  greet(move, started);
  waitForUnknownTools(move);
  if (isUnanswered(past)) move.live.wantsAnswer = true;
}

function greet(move: Move, started: readonly Word[]): void {
  const { past, script } = move;
  const said = new Set(past.entries.map((entry) => (entry.kind === "said" ? entry.message.kind : undefined)));
  if (past.turns > 0 || said.has("greeting")) {
    if (started.length > 0) record(move, ...started);
    return;
  }
  const notice = said.has("notice") ? "" : (speakerNow(move).recordingNotice ?? "");
  const hasNotice = sayLine(move, "notice", notice, started, false);
  const left = hasNotice ? [] : started;
  if (!sayLine(move, "greeting", script.greetingMessage ?? "", left) && left.length > 0)
    record(move, ...left);
}

function watchDuration(move: Move): void {
  const { script, past, now } = move;
  const longest = script.maxDurationSeconds * 1_000;
  const warning = longest < 60_000 ? longest / 6 : WARNING_MILLIS;
  const left = millisOf(past.connectedAt ?? now) + longest - millisOf(now);
  setTimer(move, "maximum", Math.max(0, left));
  const warned = past.entries.some((entry) => entry.kind === "said" && entry.message.kind === "warning");
  if (!warned && left > warning) setTimer(move, "warning", left - warning);
}

/** Speech of a lost session was heard only until the session was lost. */
function cutUnfinished(move: Move): void {
  const cuts = cutsOfLoss(move.past, move.speed);
  if (cuts.length > 0) record(move, ...cuts);
}

/** Cuts the speech of a lost session at the time of the loss. `speed` is that of its line. */
export function cutsOfLoss(past: Past, speed: number): readonly CutWord[] {
  if (past.lostAt === null) return [];
  const lost = millisOf(past.lostAt);
  let end = Number.NEGATIVE_INFINITY;
  const cuts: CutWord[] = [];
  for (const entry of past.entries) {
    if (entry.kind !== "said" || entry.message.role !== "assistant") continue;
    const begin = Math.max(end, millisOf(entry.message.at));
    end = begin + speechMillis(entry.heard) / speed;
    if (!entry.cut && end > lost) cuts.push(cutAt(entry, Math.max(0, lost - begin) * speed));
  }
  return cuts;
}

type CutWord = Of<Word, "CutSpeech">;

function cutAt(entry: SaidEntry, heardMillis: number): CutWord {
  return {
    type: "CutSpeech",
    messageIndex: entry.index ?? 0,
    heard: beginningByTime(entry.heard, heardMillis),
    heardMillis: Math.round(heardMillis),
    precision: "estimated",
  };
}

/** A tool of the lost session may still run; its result is unknown only after its time. */
function waitForUnknownTools(move: Move): void {
  const open = [...move.past.tools.values()].filter(({ result }) => result === null);
  if (open.length === 0) return;
  const latest = Math.max(...open.map(({ began }) => millisOf(began.at)));
  const left = latest + UNKNOWN_TOOL_MILLIS - millisOf(move.now);
  setTimer(move, "unknown_tools", Math.max(0, left));
  if (left > 0) sayLine(move, "filler", textsFor(speakerNow(move).language).filler);
}

/** The model is told that the results are unknown, and the call goes on. */
export function goOnWithoutResults(move: Move): void {
  endUnknownTools(move);
  move.live.wantsAnswer = move.live.ending === null;
}
