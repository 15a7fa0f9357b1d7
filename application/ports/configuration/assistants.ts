import type { VoicemailPolicy } from "../../../domain/call/events.ts";
import type { AssistantId, ConnectionId, OwnerId, ToolId } from "../../../domain/shared/ids.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import type { Page, PageRequest } from "../queries/pages.ts";
import type { Made, Saved } from "./saved.ts";

/** How the assistant's side of a conversation behaves. */
export type ConversationSettings = {
  /** A connection of kind model; null: the installation's model. */
  readonly modelConnectionId: ConnectionId | null;
  /** Said when the model fails; null: the default line of the language. */
  readonly fallbackMessage: string | null;
  /** Silence of the customer after which the assistant speaks again. */
  readonly silenceTimeoutSeconds: number;
  /** Silence by which a turn of the customer is over. */
  readonly endSilenceMs: number;
  /** Whether the customer can cut the assistant short. */
  readonly interruptible: boolean;
  /** null: not set. */
  readonly recording: "on" | "off" | null;
  /** Said before the greeting; null: nothing. */
  readonly recordingNotice: string | null;
};

/** What a user writes (docs/api.md §3), defaults filled in. */
export type AssistantDraft = ConversationSettings & {
  readonly name: string;
  readonly greetingMessage: string;
  readonly systemPrompt: string;
  readonly model: string | null;
  readonly temperature: number | null;
  readonly voice: string | null;
  readonly language: string | null;
  readonly toolIds: readonly ToolId[];
  readonly maxDurationSeconds: number;
  readonly voicemailPolicy: VoicemailPolicy;
  readonly voicemailMessage: string | null;
};

export type AssistantRecord = AssistantDraft & {
  readonly id: AssistantId;
  /** null: not published. */
  readonly publishedVersion: number | null;
  /** How often it was published; the newest version has this number. */
  readonly versions: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

/** A frozen draft. */
export type AssistantVersionRecord = AssistantDraft & {
  readonly assistantId: AssistantId;
  readonly version: number;
  readonly publishedAt: Instant;
};

/** Those of `toolIds` that are no tools of this owner, in the order given. */
export type ToolsNotFound = { readonly reason: "tools_not_found"; readonly toolIds: readonly ToolId[] };
export type AssistantNotFound = { readonly reason: "not_found" };

/** Assistants of one owner. Lists: newest first. */
export interface Assistants {
  create(
    owner: OwnerId,
    id: AssistantId,
    draft: AssistantDraft,
  ): Promise<Saved<Made<AssistantRecord>, ToolsNotFound>>;
  get(owner: OwnerId, id: AssistantId): Promise<AssistantRecord | null>;
  list(owner: OwnerId, page: PageRequest<AssistantId>): Promise<Page<AssistantRecord, AssistantId>>;
  /** The draft only; what is published stays as it is. */
  change(
    owner: OwnerId,
    id: AssistantId,
    changes: Partial<AssistantDraft>,
  ): Promise<Saved<AssistantRecord, ToolsNotFound | AssistantNotFound>>;
  /** Freezes the draft as version n+1; null: unknown. */
  publish(owner: OwnerId, id: AssistantId): Promise<AssistantRecord | null>;
  /** Repeated: the same; null: unknown. */
  unpublish(owner: OwnerId, id: AssistantId): Promise<AssistantRecord | null>;
  /** Newest first; `after` is a version. null: unknown assistant. */
  versions(
    owner: OwnerId,
    id: AssistantId,
    page: PageRequest<number>,
  ): Promise<Page<AssistantVersionRecord, number> | null>;
  /** With all its versions. Whether a squad uses it (ASSISTANT_IN_USE) the caller asks of the squads first. False: unknown. */
  delete(owner: OwnerId, id: AssistantId): Promise<boolean>;
}
