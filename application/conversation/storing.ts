import type { CallCommand } from "../../domain/call/decider.ts";
import type { SessionCommand } from "../../domain/conversation/effects.ts";
import type { Input } from "../../domain/conversation/inputs.ts";
import { DomainError } from "../../domain/shared/errors.ts";
import type { EventOrigin } from "../log/append-events.ts";
import type { StreamName } from "../ports/event-store.ts";
import type { ConversationDeps } from "./conversation-deps.ts";

/** Events that an ended call refuses, whenever they happened. */
const ONLY_LIVE: ReadonlySet<CallCommand["type"]> = new Set([
  "StartConversation",
  "BeginTool",
  "HandOver",
  "FailTurn",
  "AgreeCallback",
]);

/**
 * Appends the commands of one ticket and returns the result. Commands that came after the end of the call get
 * the time of the end: they happened before this process knew of it.
 */
export async function storeWords(
  deps: Pick<ConversationDeps, "calls" | "logger">,
  stream: StreamName,
  origin: EventOrigin,
  ticket: number,
  commands: readonly SessionCommand[],
): Promise<Input> {
  try {
    const over = await appendWords(deps, stream, origin, commands);
    return { type: "stored", ticket, over };
  } catch (error) {
    if (isOver(error) || isSuperseded(error)) return { type: "superseded" };
    deps.logger.error({ stream, error }, "words of a conversation could not be stored");
    return { type: "not_stored", ticket };
  }
}

async function appendWords(
  { calls }: Pick<ConversationDeps, "calls">,
  stream: StreamName,
  origin: EventOrigin,
  commands: readonly SessionCommand[],
): Promise<boolean> {
  try {
    await calls.handle(stream, commands, origin);
    return false;
  } catch (error) {
    if (!isOver(error)) throw error;
    const endedAt = await calls.query(stream, (state) => state.endedAt, { fresh: true });
    const left = commands.filter(({ type }) => !ONLY_LIVE.has(type));
    if (endedAt === null || (left.length === 0 && !commands.some(isLastWords))) throw error;
    const asOfTheEnd = left.map((command) => ({ ...command, at: endedAt }));
    await calls.handle(stream, asOfTheEnd, origin);
    return true;
  }
}

/** A tool that began too late also brings its refusal, which has to be recorded. */
function isLastWords({ type }: SessionCommand): boolean {
  return type === "BeginTool";
}

function isOver(error: unknown): boolean {
  return error instanceof DomainError && error.code === "call.over";
}

function isSuperseded(error: unknown): boolean {
  return error instanceof DomainError && error.code === "call.session-over";
}
