import type { AssistantId, MemberId, OwnerId, SquadId } from "../../domain/shared/ids.ts";
import type { JsonObject } from "../../domain/shared/json.ts";
import type { HandoffLink } from "../../domain/squad/events.ts";
import type { SquadState } from "../../domain/squad/state.ts";
import type { Squads } from "../log/aggregates.ts";
import { squadStream } from "../log/stream-names.ts";
import { isSquadId } from "../parse-id.ts";

/** What a call needs of a squad in the log: its members, and the enabled links between them. */
export type SquadToPin = {
  readonly squadId: SquadId;
  readonly name: string;
  readonly overrideSettings: JsonObject;
  readonly members: readonly {
    readonly memberId: MemberId;
    readonly assistantId: AssistantId;
    readonly assistantVersion: number | null;
    readonly isEntry: boolean;
    readonly overrideSettings: JsonObject;
  }[];
  readonly links: readonly HandoffLink[];
};

/** null: the owner has no such squad. */
export async function squadToPin(
  squads: Squads,
  owner: OwnerId,
  squadId: string,
): Promise<SquadToPin | null> {
  if (!isSquadId(squadId)) return null;
  return squads.query(squadStream(squadId), (state) => pinnable(state, owner), { fresh: true });
}

function pinnable(state: SquadState, owner: OwnerId): SquadToPin | null {
  const { squadId, name, overrideSettings, deleted, members, handoffs } = state;
  if (squadId === null || deleted || state.owner !== owner) return null;
  return {
    squadId,
    name,
    overrideSettings,
    members: [...members.values()].toSorted((a, b) => a.position - b.position),
    links: [...handoffs.values()].filter(
      (link) => link.enabled && members.has(link.fromMemberId) && members.has(link.toMemberId),
    ),
  };
}
