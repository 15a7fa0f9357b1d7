import type { AssistantId, MemberId, SquadId } from "../shared/ids.ts";

/**
 * An assistant as it was when the call was made, so that what was said can be explained
 * without another table.
 */
export type PinnedAssistant = {
  readonly assistantId: AssistantId;
  readonly assistantVersion: number;
  readonly name: string;
  readonly greetingMessage: string;
};

export type PinnedHandoff = {
  readonly fromAssistantId: AssistantId;
  readonly toAssistantId: AssistantId;
  readonly toolName: string;
  /** Spoken before the handoff. */
  readonly message: string | null;
};

/** The squad as it was when the call was made; the call's own assistant speaks first. */
export type PinnedSquad = {
  readonly squadId: SquadId;
  readonly members: readonly (PinnedAssistant & { readonly memberId: MemberId })[];
  readonly handoffs: readonly PinnedHandoff[];
};
