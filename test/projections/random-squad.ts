import type { Instant } from "../../domain/shared/instant.ts";
import type { SquadEvent, SquadMember } from "../../domain/squad/events.ts";

/** The life of one squad, up to a random point of it. */
export function squadEvents(
  random: (below: number) => number,
  name: string,
  at: Instant,
): readonly { readonly stream: string; readonly event: SquadEvent }[] {
  const squadId = `sqd_${name}` as const;
  const handoff = {
    handoffId: `hnd_${name}`,
    fromMemberId: `mbr_${name}a`,
    toMemberId: `mbr_${name}b`,
    toolName: "handoff_to_b",
    description: "when asked",
    message: null,
    contextMode: "all",
    contextMaxMessages: null,
    variables: [],
    enabled: true,
  } as const;
  const member = (letter: "a" | "b", position: number, isEntry: boolean): SquadMember => ({
    memberId: `mbr_${name}${letter}`,
    assistantId: `ast_${letter}`,
    assistantVersion: null,
    isEntry,
    position,
    overrideSettings: {},
  });
  const life: readonly SquadEvent[] = [
    {
      type: "SquadCreated",
      data: { squadId, at, owner: "usr_1", name, description: null, overrideSettings: { a: 1 } },
    },
    { type: "SquadMemberAdded", data: { squadId, at, member: member("a", 1, true) } },
    { type: "SquadMemberAdded", data: { squadId, at, member: member("b", 0, false) } },
    { type: "SquadHandoffAdded", data: { squadId, at, handoff } },
    { type: "SquadChanged", data: { squadId, at, changes: { name: "Renamed", description: "why" } } },
    { type: "SquadHandoffChanged", data: { squadId, at, handoff: { ...handoff, enabled: false } } },
    { type: "SquadMemberChanged", data: { squadId, at, member: member("b", 5, true) } },
    {
      type: "SquadMemberRemoved",
      data: {
        squadId,
        at,
        memberId: `mbr_${name}b`,
        removedHandoffIds: [handoff.handoffId],
        newEntryMemberId: `mbr_${name}a`,
      },
    },
    { type: "SquadDeleted", data: { squadId, at } },
  ];
  return life.slice(0, 1 + random(life.length)).map((event) => ({ stream: `squad-${squadId}`, event }));
}
