import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import type { HandoffRecord } from "../../contract/handoff.ts";
import type { SquadRecord } from "../../contract/squad.ts";
import type { SquadMemberRecord } from "../../contract/squad-member.ts";
import { isSquadEvent } from "../../domain/event-kinds.ts";
import { assertNever } from "../../domain/shared/errors.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type {
  HandoffLink,
  SquadCreated,
  SquadEvent,
  SquadMember,
  SquadMemberRemoved,
} from "../../domain/squad/events.ts";

export type SquadRow = { readonly revision: number; readonly squad: SquadRecord };

/** A deleted squad has no row, so no query finds it. */
export function projectSquad(row: SquadRow | undefined, recorded: RecordedEvent): SquadRow | undefined {
  const { event, revision } = recorded;
  if (!isSquadEvent(event)) return row;
  if (event.type === "SquadCreated") return row ?? { revision, squad: created(event.data) };
  if (row === undefined || event.type === "SquadDeleted") return undefined;
  return { revision, squad: { ...squadAfter(row.squad, event), updatedAt: event.data.at } };
}

function created({
  squadId,
  owner,
  name,
  description,
  overrideSettings,
  at,
}: SquadCreated["data"]): SquadRecord {
  return {
    id: squadId,
    name,
    description,
    overrideSettings,
    members: [],
    handoffs: [],
    userId: owner,
    createdAt: at,
    updatedAt: at,
  };
}

type SquadChange = Exclude<SquadEvent, { readonly type: "SquadCreated" | "SquadDeleted" }>;

function squadAfter(squad: SquadRecord, event: SquadChange): SquadRecord {
  switch (event.type) {
    case "SquadChanged":
      return { ...squad, ...event.data.changes };
    case "SquadMemberAdded":
    case "SquadMemberChanged":
      return withMember(squad, event.data.member, event.data.at);
    case "SquadMemberRemoved":
      return withoutMember(squad, event.data);
    case "SquadHandoffAdded":
    case "SquadHandoffChanged":
      return withHandoff(squad, event.data.handoff, event.data.at);
    case "SquadHandoffRemoved":
      return { ...squad, handoffs: squad.handoffs.filter(({ id }) => id !== event.data.handoffId) };
    default:
      return assertNever(event);
  }
}

/** Members are sorted by position. There is exactly one entry, so a new one takes that from the old one. */
function withMember(squad: SquadRecord, member: SquadMember, at: Instant): SquadRecord {
  const { memberId: id, ...facts } = member;
  const before = squad.members.find((other) => other.id === id);
  const record: SquadMemberRecord = {
    id,
    squadId: squad.id,
    ...facts,
    createdAt: before?.createdAt ?? at,
    updatedAt: at,
  };
  const others = squad.members
    .filter((other) => other.id !== id)
    .map((other) => (member.isEntry && other.isEntry ? { ...other, isEntry: false, updatedAt: at } : other));
  return { ...squad, members: byPosition([...others, record]) };
}

function byPosition(members: readonly SquadMemberRecord[]): SquadMemberRecord[] {
  return members.toSorted((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1));
}

function withoutMember(
  squad: SquadRecord,
  { memberId, removedHandoffIds, newEntryMemberId, at }: SquadMemberRemoved["data"],
): SquadRecord {
  return {
    ...squad,
    members: squad.members
      .filter(({ id }) => id !== memberId)
      .map((member) =>
        member.id === newEntryMemberId ? { ...member, isEntry: true, updatedAt: at } : member,
      ),
    handoffs: squad.handoffs.filter(({ id }) => !removedHandoffIds.includes(id)),
  };
}

function withHandoff(squad: SquadRecord, handoff: HandoffLink, at: Instant): SquadRecord {
  const { handoffId: id, fromMemberId, toMemberId, ...facts } = handoff;
  const fromAssistantId = squad.members.find((member) => member.id === fromMemberId)?.assistantId;
  const toAssistantId = squad.members.find((member) => member.id === toMemberId)?.assistantId;
  if (fromAssistantId === undefined || toAssistantId === undefined) return squad;
  const before = squad.handoffs.find((other) => other.id === id);
  const record: HandoffRecord = {
    id,
    squadId: squad.id,
    fromMemberId,
    toMemberId,
    fromAssistantId,
    toAssistantId,
    ...facts,
    createdAt: before?.createdAt ?? at,
    updatedAt: at,
  };
  return {
    ...squad,
    handoffs:
      before === undefined
        ? [...squad.handoffs, record]
        : squad.handoffs.map((other) => (other.id === id ? record : other)),
  };
}
