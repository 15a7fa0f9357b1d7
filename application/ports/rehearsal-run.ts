import type { ShownMessage } from "../../contract/conversation.ts";
import type { EndReason } from "../../domain/call/end-reason.ts";
import type { OutcomeValue, VoicemailPolicy } from "../../domain/call/events.ts";
import type { Lane, RehearsedCase } from "../../domain/rehearsal/rehearsal.ts";
import type { Failure, RunFigures } from "../../domain/rehearsal/run-result.ts";
import type { OwnerId, RunId, ToolId } from "../../domain/shared/ids.ts";
import type { AssistantVersion } from "./directory.ts";
import type { PinnedConversation } from "./pinned-conversations.ts";

/** What a lane of a rehearsal speaks with: everything as it was when the rehearsal was made. */
export type FrozenLine = {
  readonly conversation: PinnedConversation;
  /** Of the assistant that speaks first. */
  readonly voicemailPolicy: VoicemailPolicy;
  readonly voicemailMessage: string | null;
  readonly maxDurationSeconds: number;
  readonly outcome: AssistantVersion["outcome"];
  /** What a tool answers where a case says nothing; absent: it has none. */
  readonly samples: Readonly<Record<ToolId, string>>;
};

export type RunToPlay = {
  readonly runId: RunId;
  readonly owner: OwnerId;
  readonly lane: Lane;
  /** From 1. */
  readonly n: number;
  readonly line: FrozenLine;
  readonly case: RehearsedCase;
};

/** A run that is over. error: a model or the analysis failed, so that nobody knows. */
export type PlayedRun = RunFigures & {
  readonly status: "passed" | "failed" | "error";
  /** What went wrong, in a sentence of ours; null: nothing did. */
  readonly problem: string | null;
  readonly failures: readonly Failure[];
  readonly messages: readonly ShownMessage[];
  readonly outcome: {
    readonly fields: Readonly<Record<string, OutcomeValue>>;
    readonly success: boolean | null;
  } | null;
  readonly endReason: EndReason | null;
};
