import type { PinnedHandoff } from "../../domain/call/events.ts";
import type { AssistantId, MemberId, OwnerId, SquadId } from "../../domain/shared/ids.ts";
import type { SquadState } from "../../domain/squad/state.ts";
import type { Squads } from "../log/aggregates.ts";
import { squadStream } from "../log/stream-names.ts";
import { isSquadId } from "../parse-id.ts";

/** What a call needs to know of a squad that stands in the log: its members and its enabled links between assistants. */
export type SquadToPin = {
  readonly squadId: SquadId;
  readonly members: readonly {
    readonly memberId: MemberId;
    readonly assistantId: AssistantId;
    readonly assistantVersion: number | null;
  }[];
  readonly handoffs: readonly PinnedHandoff[];
};

/** null: there is no such squad of this owner. */
export async function squadToPin(
  squads: Squads,
  owner: OwnerId,
  squadId: string,
): Promise<SquadToPin | null> {
  if (!isSquadId(squadId)) return null;
  return squads.query(squadStream(squadId), (state) => pinnable(state, owner), { fresh: true });
}

function pinnable(state: SquadState, owner: OwnerId): SquadToPin | null {
  const { squadId, deleted, members, handoffs } = state;
  if (squadId === null || deleted || state.owner !== owner) return null;
  return {
    squadId,
    members: [...members.values()].toSorted((a, b) => a.position - b.position),
    handoffs: [...handoffs.values()].flatMap((link) => {
      const from = members.get(link.fromMemberId);
      const to = members.get(link.toMemberId);
      if (!link.enabled || from === undefined || to === undefined) return [];
      const { toolName, message } = link;
      return [{ fromAssistantId: from.assistantId, toAssistantId: to.assistantId, toolName, message }];
    }),
  };
}
