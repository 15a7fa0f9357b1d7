import type { Lane, RehearsedCase } from "../../domain/rehearsal/rehearsal.ts";
import type { OwnerId, RunId } from "../../domain/shared/ids.ts";
import type { FrozenLine } from "../ports/rehearsals.ts";

export type RunToPlay = {
  readonly runId: RunId;
  readonly owner: OwnerId;
  readonly lane: Lane;
  /** From 1. */
  readonly n: number;
  readonly line: FrozenLine;
  readonly case: RehearsedCase;
};
