import { STOP_CALLING } from "../../../domain/conversation/opt-out.ts";
import { CALL_BACK_LATER } from "../../../domain/conversation/script.ts";
import type { OwnerId, SquadId } from "../../../domain/shared/ids.ts";
import { utf8Length } from "../../../domain/shared/utf8.ts";
import { refused } from "../../outcome.ts";
import type { Directory, ToolEntry } from "../../ports/directory.ts";
import type {
  PinnedConversation,
  PinnedConversations,
  PinnedSpeaker,
} from "../../ports/pinned-conversations.ts";
import type { PinnedTool } from "../../ports/tool-runner.ts";
import { freeName, functionNames } from "./function-names.ts";
import type { Pinned } from "./pin-configuration.ts";
import type { Speaker } from "./speakers.ts";

export type PinDeps = {
  readonly directory: Directory;
  readonly pinnedConversations: PinnedConversations;
};

/** Of the tools of all speakers together, as JSON: each call of theirs keeps all of it in memory. */
export const MAX_PINNED_TOOLS_BYTES = 2 * 1_024 * 1_024;

/** Names of functions that no tool and no handoff may have. */
const OURS: readonly string[] = [STOP_CALLING, CALL_BACK_LATER];

/** The speakers of a call, the first one first. */
export type Line = {
  readonly squad: { readonly squadId: SquadId; readonly name: string } | null;
  readonly speakers: readonly Speaker[];
};

/**
 * Stores what the conversation needs, with the current tools, and returns its key for CallRequested.
 * Durable when it resolves. null: the tools are too large together, and nothing is stored.
 */
export async function pinConversation(
  { directory, pinnedConversations }: PinDeps,
  owner: OwnerId,
  line: Line,
): Promise<string | null> {
  const conversation = await conversationOf(directory, owner, line);
  return conversation === null ? null : pinnedConversations.store(conversation);
}

/** What the conversation needs, with the current tools; null: they are too large together. */
export async function conversationOf(
  directory: Pick<Directory, "tools">,
  owner: OwnerId,
  { squad, speakers }: Line,
): Promise<PinnedConversation | null> {
  const pinned: PinnedSpeaker[] = [];
  let bytes = 0;
  for (const speaker of speakers) {
    const tools = await directory.tools(owner, speaker.assistant.toolIds);
    bytes += utf8Length(JSON.stringify(tools));
    if (bytes > MAX_PINNED_TOOLS_BYTES) return null;
    pinned.push(pinnedSpeaker(speaker, tools));
  }
  const squadId = squad?.squadId ?? null;
  const squadName = squad?.name ?? null;
  return { version: 1, owner, squadId, squadName, speakers: pinned };
}

export function toolsTooLarge(field: "assistantId" | "squadId"): Pinned<never> {
  const message = `Its tools must have at most ${MAX_PINNED_TOOLS_BYTES / 1_048_576} MiB together, as JSON`;
  return refused("VALIDATION_ERROR", message, [{ path: [field], message }]);
}

function pinnedSpeaker({ memberId, assistant, links }: Speaker, tools: readonly ToolEntry[]): PinnedSpeaker {
  const {
    version: assistantVersion,
    toolIds: _ids,
    maxDurationSeconds: _seconds,
    voicemailPolicy: _policy,
    voicemailMessage: _message,
    ...settings
  } = assistant;
  const named = new Set(links.map(({ toolName }) => toolName));
  const handoffs = links.map((link) => ({
    toMemberId: link.toMemberId,
    toolName: OURS.includes(link.toolName) ? freeName(link.toolName, named) : link.toolName,
    description: link.description,
    message: link.message,
    contextMode: link.contextMode,
    contextMaxMessages: link.contextMaxMessages,
    variables: link.variables,
  }));
  const taken = handoffs.map(({ toolName }) => toolName);
  return { memberId, assistantVersion, ...settings, tools: pinnedTools(tools, taken), handoffs };
}

/** Of tools only one that ends the call may be `end_call`, which is always offered; none has one of ours. */
function pinnedTools(tools: readonly ToolEntry[], taken: readonly string[]): readonly PinnedTool[] {
  const endsCall = tools.some(({ type }) => type === "END_CALL");
  const names = functionNames(
    tools.map(({ name }) => name),
    [...taken, ...OURS, ...(endsCall ? [] : ["end_call"])],
  );
  return tools.map(({ toolId, name, type, description, config }, index) => ({
    toolId,
    name,
    functionName: names[index] ?? name,
    type,
    description,
    config,
  }));
}
