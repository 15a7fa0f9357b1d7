import { describe, expect, it } from "vitest";
import type { Aggregates } from "../../../application/log/aggregates.ts";
import type { EventOrigin } from "../../../application/log/append-events.ts";
import { squadStream } from "../../../application/log/stream-names.ts";
import { type EventStore, EventStoreError } from "../../../application/ports/event-store.ts";
import { DomainError } from "../../../domain/shared/errors.ts";
import type { MemberId, SquadId } from "../../../domain/shared/ids.ts";
import type { SquadCommand } from "../../../domain/squad/decider.ts";
import { createMemoryDatabase, type MemoryDatabase } from "../../../infrastructure/log/memory/database.ts";
import { memoryLog } from "../../support/memory-log.ts";
import { create } from "./squad-log.ts";

const squadId: SquadId = "sqd_1";
const stream = squadStream(squadId);
const now = "2026-09-01T10:00:00.000Z";
const origin: EventOrigin = { owner: "usr_1", actor: "key_1", correlationId: "req", causationId: null };

function commandsOf(database: MemoryDatabase, wrap?: (store: EventStore) => EventStore) {
  const log = memoryLog({ database, ...(wrap && { wrap }) });
  const ticking = setInterval(() => log.clock.advance(1_000), 1);
  return { ...log, end: () => clearInterval(ticking) };
}

function addMember(number: number): SquadCommand {
  const memberId: MemberId = `mbr_${number}`;
  const member = {
    memberId,
    assistantId: `ast_${number}`,
    assistantVersion: null,
    isEntry: false,
    position: null,
    overrideSettings: {},
  } as const;
  return { type: "AddMember", member, now };
}

function members({ squads }: Aggregates): Promise<readonly string[]> {
  return squads.query(stream, (state) => [...state.members.keys()]);
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof DomainError ? error.code : String(error);
}

describe("commands of one stream", () => {
  it("are decided one after another and appended together", async () => {
    const database = createMemoryDatabase();
    let appends = 0;
    const counted = (store: EventStore): EventStore => ({
      ...store,
      append: (...append) => {
        appends += 1;
        return store.append(...append);
      },
    });
    const { aggregates } = commandsOf(database, counted);
    await aggregates.squads.handle(stream, [create], origin, { expectNew: true });
    await Promise.all([1, 2, 3].map((n) => aggregates.squads.handle(stream, [addMember(n)], origin)));
    expect(await members(aggregates)).toEqual(["mbr_1", "mbr_2", "mbr_3"]);
    expect(appends).toBe(2);
  });

  it("store of whoever asked nothing but what belongs into the log", async () => {
    const database = createMemoryDatabase();
    const { aggregates } = commandsOf(database);
    const caller = { ...origin, scopes: ["admin"], key: "va_live_secret" };
    await aggregates.squads.handle(stream, [create], caller, { expectNew: true });
    const [event] = await memoryLog({ database }).eventStore.read(stream);
    expect(event?.metadata).toEqual({ ...origin, schemaVersion: 1 });
  });

  it("answers each with its own events and the stream's last position", async () => {
    const { aggregates } = commandsOf(createMemoryDatabase());
    const made = await aggregates.squads.handle(stream, [create, addMember(1)], origin, { expectNew: true });
    expect(made.events.map(({ type }) => type)).toEqual(["SquadCreated", "SquadMemberAdded"]);
    expect([made.revision, made.position]).toEqual([1, "2"]);
  });

  it("reads nothing for what is so for good, and once for any other that is so already", async () => {
    let reads = 0;
    const counted = (store: EventStore): EventStore => ({
      ...store,
      read: (...read) => {
        reads += 1;
        return store.read(...read);
      },
    });
    const { aggregates } = commandsOf(createMemoryDatabase(), counted);
    await aggregates.squads.handle(stream, [create], origin, { expectNew: true });
    await aggregates.squads.handle(stream, [create], origin, { lasting: true });
    expect(reads).toBe(0);
    await aggregates.squads.handle(stream, [create], origin);
    expect(reads).toBe(1);
  });

  it("are all or nothing within one unit", async () => {
    const { aggregates } = commandsOf(createMemoryDatabase());
    await aggregates.squads.handle(stream, [create], origin, { expectNew: true });
    const twice = [addMember(1), { ...addMember(1), member: { ...memberOf(1), memberId: "mbr_9" } } as const];
    expect(await codeOf(aggregates.squads.handle(stream, twice, origin))).toBe("squad.member-exists");
    expect(await members(aggregates)).toEqual([]);
  });

  it("refuses one without harm to those that wait beside it", async () => {
    const { aggregates } = commandsOf(createMemoryDatabase());
    await aggregates.squads.handle(stream, [create, addMember(1)], origin, { expectNew: true });
    const again: SquadCommand = { type: "AddMember", member: { ...memberOf(1), memberId: "mbr_9" }, now };
    const [refused] = await Promise.all([
      codeOf(aggregates.squads.handle(stream, [again], origin)),
      aggregates.squads.handle(stream, [addMember(2)], origin),
    ]);
    expect(refused).toBe("squad.member-exists");
    expect(await members(aggregates)).toEqual(["mbr_1", "mbr_2"]);
  });

  it("loses none of those that wait beside one that the log refuses", async () => {
    const { aggregates } = commandsOf(createMemoryDatabase());
    await aggregates.squads.handle(stream, [create], origin, { expectNew: true });
    const refused = {
      type: "AddMember",
      member: { ...memberOf(2), assistantId: "ast_\u0000" },
      now,
    } as const;
    const [, problem] = await Promise.all([
      aggregates.squads.handle(stream, [addMember(1)], origin),
      aggregates.squads.handle(stream, [refused], origin).catch(String),
      aggregates.squads.handle(stream, [addMember(3)], origin),
    ]);
    expect(problem).toContain("invalid_event");
    expect(await members(aggregates)).toEqual(["mbr_1", "mbr_3"]);
  });
});

describe("another process on the same stream", () => {
  it("is found out by the expected revision, and the command decided again on what it wrote", async () => {
    const database = createMemoryDatabase();
    const [one, other] = [commandsOf(database).aggregates, commandsOf(database).aggregates];
    await one.squads.handle(stream, [create], origin, { expectNew: true });
    await other.squads.handle(stream, [addMember(1)], origin);
    await one.squads.handle(stream, [addMember(2)], origin);
    expect(await members(one)).toEqual(["mbr_1", "mbr_2"]);
  });

  it("is read before a refusal by an old state is believed", async () => {
    const database = createMemoryDatabase();
    const [one, other] = [commandsOf(database).aggregates, commandsOf(database).aggregates];
    await one.squads.handle(stream, [create], origin, { expectNew: true });
    await other.squads.handle(stream, [addMember(1)], origin);
    const removed = await one.squads.handle(
      stream,
      [{ type: "RemoveMember", memberId: "mbr_1", now }],
      origin,
    );
    expect(removed.events.map(({ type }) => type)).toEqual(["SquadMemberRemoved"]);
  });

  it("loses nothing and writes nothing twice when both write a lot at once", async () => {
    const database = createMemoryDatabase();
    const processes = [commandsOf(database).aggregates, commandsOf(database).aggregates];
    await processes[0]?.squads.handle(stream, [create], origin, { expectNew: true });
    const changes = Array.from({ length: 100 }, (_, n) =>
      processes[n % 2]?.squads.handle(
        stream,
        [{ type: "ChangeSquad", changes: { name: `Name ${n}` }, now }],
        origin,
      ),
    );
    await Promise.all(changes);
    expect(database.events.filter(({ type }) => type === "SquadChanged")).toHaveLength(100);
  });
});

describe("an append whose outcome is unknown", () => {
  it("is repeated with the same ids, so that it is written once", async () => {
    const database = createMemoryDatabase();
    const { aggregates, end } = commandsOf(database, losingReplies(3));
    await aggregates.squads.handle(stream, [create], origin, { expectNew: true });
    await aggregates.squads.handle(stream, [addMember(1)], origin);
    end();
    expect(database.events.map(({ type }) => type)).toEqual(["SquadCreated", "SquadMemberAdded"]);
  });

  it("is given up after some seconds, and what was folded is forgotten", async () => {
    const database = createMemoryDatabase();
    const { aggregates, end } = commandsOf(database, losingReplies(9));
    const failed = await aggregates.squads
      .handle(stream, [create], origin, { expectNew: true })
      .catch(String);
    expect(failed).toContain("unavailable");
    await aggregates.squads.handle(stream, [addMember(1)], origin);
    end();
    expect(database.events.map(({ type }) => type)).toEqual(["SquadCreated", "SquadMemberAdded"]);
  });
});

function memberOf(number: number) {
  const command = addMember(number);
  if (command.type !== "AddMember") throw new Error("not a member");
  return command.member;
}

/** The first `count` appends are written, and their answers lost. */
function losingReplies(count: number) {
  let left = count;
  return (store: EventStore): EventStore => ({
    ...store,
    append: async (...append) => {
      const result = await store.append(...append);
      left -= 1;
      if (left >= 0) throw new EventStoreError({ kind: "unavailable", cause: "reply lost" });
      return result;
    },
  });
}
