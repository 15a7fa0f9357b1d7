import type { EventOrigin } from "../../../application/log/append-events.ts";
import { squadStream } from "../../../application/log/stream-names.ts";
import type { EventStore } from "../../../application/ports/event-store.ts";
import { DomainError } from "../../../domain/shared/errors.ts";
import type { SquadId } from "../../../domain/shared/ids.ts";
import type { SquadCommand } from "../../../domain/squad/decider.ts";
import { createMemoryDatabase, type MemoryDatabase } from "../../../infrastructure/log/memory/database.ts";
import { memoryLog } from "../../support/memory-log.ts";
import { movingClock } from "../../support/moving-clock.ts";
import { codec } from "./log-of-calls.ts";

const now = "2026-09-01T10:00:00.000Z";
const squadId: SquadId = "sqd_1";
export const STREAM = squadStream(squadId);
export const ORIGIN: EventOrigin = { owner: "usr_1", actor: "key_1", correlationId: "r", causationId: null };

export const create: SquadCommand = {
  type: "CreateSquad",
  squadId,
  owner: "usr_1",
  name: "Team",
  description: null,
  overrideSettings: {},
  members: [],
  handoffs: [],
  now,
};

/** Refused when the assistant is in the squad under another name. */
export function add(name: string, assistant = name): SquadCommand {
  const member = {
    memberId: `mbr_${name}`,
    assistantId: `ast_${assistant}`,
    assistantVersion: null,
    isEntry: false,
    position: null,
    overrideSettings: {},
  } as const;
  return { type: "AddMember", member, now };
}

export function rename(name: string): SquadCommand {
  return { type: "ChangeSquad", changes: { name }, now };
}

/**
 * One process at a log in memory.
 */
export function squadLog({
  database = createMemoryDatabase(),
  wrap = (log) => log,
}: {
  readonly database?: MemoryDatabase;
  readonly wrap?: (log: EventStore) => EventStore;
} = {}) {
  // Waits between tries are skipped: what a test asks is how often, not when.
  const clock = { ...movingClock(), sleep: async () => undefined };
  const log = memoryLog({ clock, database, codec, wrap });
  const { squads } = log.aggregates;
  const members = (): Promise<readonly string[]> =>
    squads.query(STREAM, (state) => [...state.members.keys()]);
  return { ...log, reads: log.readsFrom, deps: log, members, squads };
}

/** A squad in a log that another process wrote: not in this one's memory. */
export async function storedSquad(...commands: readonly SquadCommand[]): Promise<MemoryDatabase> {
  const { database, squads } = squadLog();
  await squads.handle(STREAM, [create, ...commands], ORIGIN, { expectNew: true });
  return database;
}

/** The code of the rule that forbids it, else the words of the failure; null: nothing failed. */
export async function failureOf(work: Promise<unknown>): Promise<string | null> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason ?? "nothing said",
  );
  return error instanceof DomainError ? error.code : error === null ? null : String(error);
}
