import type { VoicemailPolicy } from "../../domain/call/events.ts";
import type { SuppressionEntry } from "../../domain/campaign/events.ts";
import type { AssistantId, OwnerId, PhoneNumberId, ToolId } from "../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";

/** A published version of an assistant: frozen. */
export type AssistantVersion = {
  readonly assistantId: AssistantId;
  readonly version: number;
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

export type Plan = { readonly maxConcurrentCalls: number; readonly maxCallsPerSecond: number };

/** What a dial asks of the owner's configuration, read at that moment (everything is scoped to the owner). */
export interface Directory {
  /** null: no such number of this owner. */
  phoneNumber(
    owner: OwnerId,
    id: PhoneNumberId,
  ): Promise<{ readonly phoneNumber: PhoneNumber; readonly active: boolean } | null>;
  /** null: no such assistant of this owner; `publishedVersion` null: not published. */
  assistant(owner: OwnerId, id: AssistantId): Promise<{ readonly publishedVersion: number | null } | null>;
  assistantVersion(owner: OwnerId, id: AssistantId, version: number): Promise<AssistantVersion | null>;
  /** Those of `numbers` that are on the owner's do-not-call list. */
  suppressed(owner: OwnerId, numbers: readonly PhoneNumber[]): Promise<ReadonlySet<PhoneNumber>>;
  /** What the list says of those of `numbers` that are on it. */
  suppressions(
    owner: OwnerId,
    numbers: readonly PhoneNumber[],
  ): Promise<ReadonlyMap<PhoneNumber, SuppressionEntry>>;
  /** null: no such owner. */
  owner(owner: OwnerId): Promise<{ readonly active: boolean; readonly plan: Plan } | null>;
  /** The owner changed a number, an assistant, a suppression, its plan: what waits may be judged again. Also when it happened in another process. */
  onChange(listener: (owner: OwnerId) => void): () => void;
}
