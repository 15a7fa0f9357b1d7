import type { CallCommand } from "../../../domain/call/decider.ts";
import type { AnalysisId } from "../../../domain/call/events.ts";
import type { AssistantId, CallId } from "../../../domain/shared/ids.ts";
import type { Calls } from "../../log/aggregates.ts";
import type { EventOrigin } from "../../log/append-events.ts";
import { callStream } from "../../log/stream-names.ts";
import type { AnalysisSettings, StoredAnalysisSettings } from "../../ports/analyses.ts";
import type { Clock } from "../../ports/clock.ts";
import type { AssistantVersion } from "../../ports/directory.ts";
import type { Position } from "../../ports/event-store.ts";
import type { Ids } from "../../ports/ids.ts";
import type { PinnedConversation } from "../../ports/pinned-conversations.ts";

export type WishingDeps = {
  readonly analysisSettings: StoredAnalysisSettings;
  readonly calls: Calls;
  readonly clock: Pick<Clock, "now">;
};

/** What is asked, as whom. */
export type Asked = {
  readonly assistantId: AssistantId;
  readonly assistantVersion: number;
  readonly settings: AnalysisSettings;
};

/** The analysis that the engine asks for: each call has at most one. */
export function automaticAnalysisId(ids: Pick<Ids, "derivedUuid">, callId: CallId): AnalysisId {
  return ids.derivedUuid(`${callId}:outcome`);
}

/** As the assistant with which the call began asks; null: it asks for nothing. */
export function askedAtTheBeginning({ speakers }: PinnedConversation): Asked | null {
  const [first] = speakers;
  return first === undefined ? null : asked(first.assistantId, first.assistantVersion, first);
}

/** null: the version asks for nothing. */
export function asked(
  assistantId: AssistantId,
  assistantVersion: number,
  version: Pick<AssistantVersion, "model" | "modelConnectionId" | "language"> &
    Partial<Pick<AssistantVersion, "outcome">>,
): Asked | null {
  const { outcome = null, model, modelConnectionId, language } = version;
  if (outcome === null) return null;
  return {
    assistantId,
    assistantVersion,
    settings: { version: 1, outcome, model, modelConnectionId, language },
  };
}

/** `pending`: the wish that waits now, perhaps an earlier one. `isKnown`: the log has this one. */
export type Wished = {
  readonly pending: AnalysisId | null;
  readonly isKnown: boolean;
  readonly schemaHash: string;
  readonly position: Position;
};

/**
 * The command that wishes it. What is asked is stored first, so that the wish can be answered without its
 * assistant.
 */
export async function wishOf(
  { analysisSettings, clock }: Pick<WishingDeps, "analysisSettings" | "clock">,
  { analysisId, by, assistantId, assistantVersion, settings }: Asked & Wish,
): Promise<Extract<CallCommand, { readonly type: "RequestAnalysis" }>> {
  const schemaHash = await analysisSettings.store(settings);
  const command = {
    type: "RequestAnalysis",
    analysisId,
    assistantId,
    assistantVersion,
    schemaHash,
    by,
  } as const;
  return { ...command, now: clock.now() };
}

type Wish = { readonly analysisId: AnalysisId; readonly by: string };

/** Asks for an analysis. Rejects with the DomainErrors of RequestAnalysis. */
export async function wish(
  deps: WishingDeps,
  callId: CallId,
  asked: Asked & Wish,
  origin: EventOrigin,
): Promise<Wished> {
  const { calls } = deps;
  const { analysisId } = asked;
  const command = await wishOf(deps, asked);
  await calls.handle(callStream(callId), [command], origin);
  return calls.query(callStream(callId), ({ pendingAnalysis, analyses }, { position }) => ({
    pending: pendingAnalysis,
    isKnown: analyses.has(analysisId),
    schemaHash: command.schemaHash,
    position,
  }));
}
