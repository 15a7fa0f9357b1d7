import type { AssistantId, OwnerId, ToolId } from "../../domain/shared/ids.ts";
import type { AssistantVersion, Directory } from "./directory.ts";
import type { FrozenLine } from "./rehearsal-run.ts";

/** What a line is made of, read at one moment. */
export type LineDirectory = Pick<Directory, "assistant" | "assistantVersion" | "tools"> & {
  /** The draft as a version with number 0; null: no such assistant of this owner. */
  draft(owner: OwnerId, id: AssistantId): Promise<AssistantVersion | null>;
  /** What these tools of the owner answer in rehearsals; absent: nothing. */
  samples(owner: OwnerId, ids: readonly ToolId[]): Promise<FrozenLine["samples"]>;
};

export interface LineSnapshots {
  read<Answer>(work: (directory: LineDirectory) => Promise<Answer>): Promise<Answer>;
  /** SHA-256 of the line's canonical JSON, in hex. */
  hashOf(line: FrozenLine): string;
}
