import type { OwnerId } from "../../domain/shared/ids.ts";
import type { Pinned } from "../call/pinning/pin-configuration.ts";
import type { NewRehearsal, RehearsalWords } from "./rehearsals.ts";

/** Ids are any text that the caller sent; exactly one of them is given. */
export type LinesToFreeze = Pick<NewRehearsal, "version" | "baseline"> & {
  readonly assistantId: string | null;
  readonly squadId: string | null;
};

export type FrozenLines = {
  readonly lines: RehearsalWords["lines"];
  /** SHA-256 of the candidate's canonical JSON, in hex; equal drafts of an assistant have an equal one. */
  readonly draftHash: string;
};

/** What rehearsals speak with. */
export interface LineFreezer {
  /**
   * Everything at one moment. Of a squad the member on top speaks first; members without a version of their own have
   * the asked one, their draft or what is published. Refused at its path: unknown id (ASSISTANT_NOT_FOUND,
   * SQUAD_NOT_FOUND), or VALIDATION_ERROR at `version` (there is none such; a number for a squad) or at `baseline`
   * (nothing is published).
   */
  freeze(owner: OwnerId, lines: LinesToFreeze): Promise<Pinned<FrozenLines>>;
}
