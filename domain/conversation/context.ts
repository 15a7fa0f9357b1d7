import type { Entry, HandoverEntry } from "./past.ts";
import type { HandoffTo, Script } from "./script.ts";

/**
 * What the current speaker knows of the call: the history, reduced by what each handoff passed on. A tool
 * call and its result are kept or dropped together.
 */
export function visibleEntries(script: Script, entries: readonly Entry[]): readonly Entry[] {
  let visible: Entry[] = [];
  let ofSpeaker: Entry[] = [];
  for (const entry of entries) {
    if (entry.kind === "handover") {
      visible = handedOn(linkOf(script, entry), visible, ofSpeaker, entry.turn);
      ofSpeaker = [];
    } else {
      visible.push(entry);
      ofSpeaker.push(entry);
    }
  }
  return visible;
}

type Link = Pick<HandoffTo, "contextMode" | "contextMaxMessages">;

function linkOf({ speakers }: Script, { handover }: HandoverEntry): Link {
  const links = speakers
    .filter(({ assistantId }) => assistantId === handover.from)
    .flatMap(({ handoffs }) => handoffs);
  const link = links.find(
    ({ toMemberId, toolName }) => toMemberId === handover.toMemberId && toolName === handover.toolName,
  );
  return link ?? { contextMode: "all", contextMaxMessages: null };
}

function handedOn(link: Link, visible: Entry[], ofSpeaker: Entry[], turn: number): Entry[] {
  switch (link.contextMode) {
    case "all":
      return [...visible];
    case "user_and_assistant":
      return withTurn(visible.filter(isSaid), visible, turn);
    case "last_n": {
      const said = visible.filter(isSaid);
      const count = link.contextMaxMessages ?? said.length;
      return withTurn(count === 0 ? [] : said.slice(-count), visible, turn);
    }
    case "previous":
      return withTurn(ofSpeaker, visible, turn);
    case "none":
      return [];
  }
}

function isSaid(entry: Entry): boolean {
  return entry.kind === "said";
}

/** Includes what the customer said in the turn that led to the handoff. */
function withTurn(chosen: readonly Entry[], visible: readonly Entry[], turn: number): Entry[] {
  const kept = new Set(chosen);
  return visible.filter(
    (entry) =>
      kept.has(entry) || (entry.kind === "said" && entry.message.role === "customer" && entry.turn === turn),
  );
}
