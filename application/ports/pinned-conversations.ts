import type { AssistantId, ConnectionId, MemberId, OwnerId, SquadId } from "../../domain/shared/ids.ts";
import type { ContextMode, HandoffVariable } from "../../domain/squad/events.ts";
import type { PinnedTool } from "./tool-runner.ts";

/** A speaker of the call, with the overrides of squad and member applied. */
export type PinnedSpeaker = {
  /** null: a call without a squad. */
  readonly memberId: MemberId | null;
  readonly assistantId: AssistantId;
  readonly assistantVersion: number;
  readonly name: string;
  /**
   * A template of ours, not the filled greeting of the call; spoken by the member to whom the
   * call is handed over.
   */
  readonly greetingMessage: string;
  readonly systemPrompt: string;
  readonly model: string | null;
  readonly modelConnectionId: ConnectionId | null;
  readonly temperature: number | null;
  readonly voice: string | null;
  readonly language: string | null;
  readonly fallbackMessage: string | null;
  readonly silenceTimeoutSeconds: number;
  readonly endSilenceMs: number;
  readonly interruptible: boolean;
  readonly recording: "on" | "off" | null;
  readonly recordingNotice: string | null;
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
