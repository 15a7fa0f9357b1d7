import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fold } from "../../../domain/shared/decider.ts";
import { DomainError } from "../../../domain/shared/errors.ts";
import { type SquadCommand, squadDecider } from "../../../domain/squad/decider.ts";
import type { SquadEvent } from "../../../domain/squad/events.ts";
import type { SquadState } from "../../../domain/squad/state.ts";
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from "../property-runs.ts";

const now = "2026-09-01T10:00:00.000Z";
const number = fc.integer({ min: 1, max: 5 });

const commands: fc.Arbitrary<SquadCommand> = fc.oneof(
  fc.tuple(number, number, fc.boolean()).map(
    ([id, assistant, isEntry]): SquadCommand => ({
      type: "AddMember",
      member: {
        memberId: `mbr_${id}`,
        assistantId: `ast_${assistant}`,
        assistantVersion: null,
        isEntry,
        position: null,
        overrideSettings: {},
      },
      now,
    }),
  ),
  fc.tuple(number, fc.boolean(), fc.nat(9)).map(
    ([id, isEntry, position]): SquadCommand => ({
      type: "ChangeMember",
      memberId: `mbr_${id}`,
      changes: { isEntry, position },
      now,
    }),
  ),
  number.map((id): SquadCommand => ({ type: "RemoveMember", memberId: `mbr_${id}`, now })),
  fc.tuple(number, number, number).map(
    ([id, from, to]): SquadCommand => ({
      type: "AddHandoff",
      handoff: {
        handoffId: `hnd_${id}`,
        from: `mbr_${from}`,
        to: `ast_${to}`,
        toolName: "handoff_to_x",
        description: "d",
        message: null,
        contextMode: "all",
        contextMaxMessages: null,
        variables: [],
        enabled: true,
      },
      now,
    }),
  ),
  fc.tuple(number, fc.boolean()).map(
    ([id, enabled]): SquadCommand => ({
      type: "ChangeHandoff",
      handoffId: `hnd_${id}`,
      changes: { enabled, toolName: "handoff_to_x" },
      now,
    }),
  ),
  number.map((id): SquadCommand => ({ type: "RemoveHandoff", handoffId: `hnd_${id}`, now })),
  number.map((id): SquadCommand => ({ type: "ChangeSquad", changes: { name: `Team ${id}` }, now })),
  fc
    .integer({ min: 0, max: 19 })
    .map(
      (roll): SquadCommand =>
        roll === 0 ? { type: "DeleteSquad", now } : { type: "ChangeSquad", changes: {}, now },
    ),
);

const created: SquadEvent = {
  type: "SquadCreated",
  data: { squadId: "sqd_1", at: now, owner: "usr_1", name: "Team", description: null, overrideSettings: {} },
};

const folded = (log: readonly SquadEvent[]) => fold(squadDecider, squadDecider.initialState(), log);

function decided(command: SquadCommand, state: SquadState): readonly SquadEvent[] {
  try {
    return squadDecider.decide(command, state);
  } catch (error) {
    if (error instanceof DomainError) return [];
    throw error;
  }
}

function play(
  given: readonly SquadCommand[],
  check: (state: SquadState, command: SquadCommand) => void,
): SquadEvent[] {
  const log: SquadEvent[] = [created];
  for (const command of given) {
    log.push(...decided(command, folded(log)));
    check(folded(log), command);
  }
  return log;
}

describe("a squad, whatever happens to it", PROPERTY_TIMEOUT, () => {
  const histories = fc.array(commands, { maxLength: 40 });
  const always = (check: Parameters<typeof play>[1]) =>
    fc.assert(
      fc.property(histories, (given) => void play(given, check)),
      { numRuns: PROPERTY_RUNS },
    );

  it("has exactly one entry when it has members", () =>
    always(({ members }) =>
      expect([...members.values()].filter(({ isEntry }) => isEntry)).toHaveLength(members.size === 0 ? 0 : 1),
    ));

  it("has each assistant once", () =>
    always(({ members }) =>
      expect(new Set([...members.values()].map(({ assistantId }) => assistantId)).size).toBe(members.size),
    ));

  it("links only its members, each two once, no one to itself", () =>
    always(({ members, handoffs }) => {
      const links = [...handoffs.values()];
      for (const { fromMemberId, toMemberId } of links)
        expect([members.has(fromMemberId), members.has(toMemberId), fromMemberId !== toMemberId]).toEqual([
          true,
          true,
          true,
        ]);
      expect(new Set(links.map(({ fromMemberId, toMemberId }) => `${fromMemberId}>${toMemberId}`)).size).toBe(
        links.length,
      );
      expect(new Set(links.map(({ fromMemberId, toolName }) => `${fromMemberId}:${toolName}`)).size).toBe(
        links.length,
      );
    }));

  it("changes nothing when the same command comes twice", () =>
    always((state, command) => expect(decided(command, state)).toEqual([])));

  it("stays gone once it was deleted", () =>
    always((state, command) => {
      if (state.deleted) expect(() => squadDecider.decide(command, state)).toThrow("There is no such squad");
    }));

  it("has times that never decrease, whatever the clocks say", () => {
    const seconds = fc.integer({ min: 10, max: 59 });
    const onAnyClock = fc
      .tuple(commands, seconds)
      .map(([command, second]): SquadCommand => ({ ...command, now: `2026-09-01T09:59:${second}.000Z` }));
    const property = fc.property(fc.array(onAnyClock, { maxLength: 40 }), (given) => {
      const times = play(given, () => undefined).map(({ data }) => data.at);
      expect(times).toEqual([...times].sort());
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });

  it("folds in parts as it folds whole", () => {
    const property = fc.property(histories, fc.nat(), (given, cut) => {
      const log = play(given, () => undefined);
      const first = folded(log.slice(0, cut % log.length));
      expect(fold(squadDecider, first, log.slice(cut % log.length))).toEqual(folded(log));
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });
});
