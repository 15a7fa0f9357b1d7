import type { HistoryEvent } from "./shapes.ts";

/**
 * Conversations after a crash: every tool called once and reported once, sessions one after the other,
 * nothing said in a session that is over.
 */
export function judgeConversations(events: readonly HistoryEvent[], toolKeys: readonly string[]): string[] {
  return [
    ...twiceAsked(toolKeys),
    ...unreportedTools(events),
    ...unknownKeys(events, toolKeys),
    ...wrongEpochs(events),
  ];
}

/** A tool that changes something is never called twice, whatever died. */
function twiceAsked(toolKeys: readonly string[]): string[] {
  return toolKeys
    .filter((key, index) => toolKeys.indexOf(key) !== index)
    .map((key) => `the tool call ${key} was asked twice`);
}

function unknownKeys(events: readonly HistoryEvent[], toolKeys: readonly string[]): string[] {
  const begun = new Set(idsOf(events, "CallToolBegan"));
  return toolKeys
    .filter((key) => !begun.has(key))
    .map((key) => `the tool call ${key} was asked before its beginning was durable`);
}

function unreportedTools(events: readonly HistoryEvent[]): string[] {
  const ended = idsOf(events, "CallToolEnded");
  return idsOf(events, "CallToolBegan").flatMap((id) => {
    const count = ended.filter((each) => each === id).length;
    return count <= 1 ? [] : [`the tool call ${id} has ${count} results`];
  });
}

function idsOf(events: readonly HistoryEvent[], type: string): string[] {
  return events.filter((event) => event.type === type).map(({ data }) => String(data["toolCallId"]));
}

/** Epochs of a call increase by one, and every event belongs to the session that was open. */
function wrongEpochs(events: readonly HistoryEvent[]): string[] {
  const open = new Map<string, number>();
  return events.flatMap(({ type, data }) => {
    const epoch = data["epoch"];
    if (typeof epoch !== "number" || data.callId === undefined || data.callId === null) return [];
    const known = open.get(data.callId) ?? 0;
    if (type !== "CallSessionBegan")
      return epoch === known ? [] : [`${type} of ${data.callId} is of session ${epoch}, open was ${known}`];
    open.set(data.callId, epoch);
    return epoch === known + 1 ? [] : [`session ${epoch} of ${data.callId} follows ${known}`];
  });
}

/** Calls whose conversation went on in another session than the first. */
export function resumedCalls(events: readonly HistoryEvent[]): readonly string[] {
  const resumed = events.filter(
    ({ type, data }) => type === "CallMessageAdded" && typeof data["epoch"] === "number" && data["epoch"] > 1,
  );
  return [...new Set(resumed.map(({ data }) => String(data.callId)))];
}
