import type { MemberId, OwnerId, SquadId } from "../../domain/shared/ids.ts";
import type { ContextMode, HandoffVariable } from "../../domain/squad/events.ts";
import type { AssistantVersion } from "./directory.ts";
import type { PinnedTool } from "./tool-runner.ts";

/** What the call itself has, or a speaker in another form. */
type NotOfSpeaker = "version" | "toolIds" | "maxDurationSeconds" | "voicemailPolicy" | "voicemailMessage";

/**
 * Absent in calls that were pinned before assistants had them: nobody listens there, nothing is analysed or
 * agreed.
 */
type LaterField = "optOut" | "optOutDigit" | "optOutMessage" | "outcome" | "callback";

/**
 * A speaker of the call, with the overrides of squad and member applied. `greetingMessage` is a template of
 * ours, not the filled greeting of the call; the member to whom the call is handed over speaks it.
 */
export type PinnedSpeaker = Omit<AssistantVersion, NotOfSpeaker | LaterField> &
  Partial<Pick<AssistantVersion, LaterField>> & {
    /** null: a call without a squad. */
    readonly memberId: MemberId | null;
    readonly assistantVersion: number;
    readonly tools: readonly PinnedTool[];
    readonly handoffs: readonly PinnedHandoffLink[];
  };

export type PinnedHandoffLink = {
  readonly toMemberId: MemberId;
  readonly toolName: string;
  readonly description: string;
  readonly message: string | null;
  readonly contextMode: ContextMode;
  readonly contextMaxMessages: number | null;
  readonly variables: readonly HandoffVariable[];
};

/** Everything that a conversation needs besides CallRequested, without secrets. */
export type PinnedConversation = {
  readonly version: 1;
  readonly owner: OwnerId;
  readonly squadId: SquadId | null;
  readonly squadName: string | null;
  /** The first one speaks first. */
  readonly speakers: readonly PinnedSpeaker[];
};

/** Stored once under the SHA-256 (hex) of their canonical JSON; rows are kept for ever. */
export interface PinnedConversations {
  /** Durable when it resolves. */
  store(conversation: PinnedConversation): Promise<string>;
  /** null: unknown. */
  read(sha256: string): Promise<PinnedConversation | null>;
}
