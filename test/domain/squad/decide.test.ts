import { describe, expect, it } from "vitest";
import { MAX_SQUAD_BYTES, type SquadCommand, squadDecider } from "../../../domain/squad/decider.ts";
import type { SquadEvent } from "../../../domain/squad/events.ts";
import type { NewHandoff } from "../../../domain/squad/handoff-rules.ts";
import type { NewMember } from "../../../domain/squad/member-rules.ts";
import { specOf } from "../../support/decider-spec.ts";

const given = specOf(squadDecider);
const now = "2026-09-01T10:00:00.000Z";
const squadId = "sqd_1";

function member(number: number, changes: Partial<NewMember> = {}): NewMember {
  return {
    memberId: `mbr_${number}`,
    assistantId: `ast_${number}`,
    assistantVersion: null,
    isEntry: false,
    position: null,
    overrideSettings: {},
    ...changes,
  };
}

function handoff(number: number, from: string, to: string, changes: Partial<NewHandoff> = {}): NewHandoff {
  return {
    handoffId: `hnd_${number}`,
    from,
    to,
    toolName: "handoff_to_x",
    description: "when asked",
    message: null,
    contextMode: "all",
    contextMaxMessages: null,
    variables: [],
    enabled: true,
    ...changes,
  };
}

const creation: SquadCommand = {
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
const following = (history: readonly SquadEvent[], command: SquadCommand) => [
  ...history,
  ...given(...history)
    .when(command)
    .events(),
];
const add = (number: number, changes?: Partial<NewMember>): SquadCommand => ({
  type: "AddMember",
  member: member(number, changes),
  now,
});
const link = (number: number, from: string, to: string, changes?: Partial<NewHandoff>): SquadCommand => ({
  type: "AddHandoff",
  handoff: handoff(number, from, to, changes),
  now,
});
const state = (events: readonly SquadEvent[]) =>
  events.reduce(squadDecider.evolve, squadDecider.initialState());
const entries = (events: readonly SquadEvent[]) =>
  [...state(events).members.values()].filter(({ isEntry }) => isEntry).map(({ memberId }) => memberId);

const empty = following([], creation);
const pair = following(following(empty, add(1)), add(2));

describe("creating a squad", () => {
  it("makes it whole in one append", () => {
    const command: SquadCommand = {
      ...creation,
      members: [member(1), member(2)],
      handoffs: [handoff(1, "ast_1", "mbr_2")],
    };
    given()
      .when(command)
      .thenTypes("SquadCreated", "SquadMemberAdded", "SquadMemberAdded", "SquadHandoffAdded");
  });
  it("judges each part: nothing is made of a squad that is not right", () =>
    given()
      .when({ ...creation, members: [member(1), member(2, { assistantId: "ast_1" })] })
      .thenRefused("squad.member-exists", { assistantId: "ast_1" }));
  it("is quiet when it stands", () =>
    given(...empty)
      .when(creation)
      .thenEvents());
});

describe("a squad that is not there, or was deleted", () => {
  it("takes no command", () => {
    given().when(add(1)).thenRefused("squad.not-found");
    given(...following(empty, { type: "DeleteSquad", now }))
      .when(add(1))
      .thenRefused("squad.not-found");
  });
});

describe("a squad as a whole", () => {
  const described = (bytes: number, of = "ü"): SquadCommand => ({
    type: "ChangeSquad",
    changes: { description: of.repeat(bytes / new TextEncoder().encode(of).byteLength) },
    now,
  });
  const bytesOf = (events: readonly SquadEvent[]) => {
    const { name, description, overrideSettings, members, handoffs } = state(events);
    const whole = { name, description, overrideSettings };
    const parts = { members: [...members.values()], handoffs: [...handoffs.values()] };
    return Buffer.byteLength(JSON.stringify({ ...whole, ...parts }));
  };
  /** As one of before the limit: nothing refuses an event. */
  const large: readonly SquadEvent[] = [
    ...pair,
    { type: "SquadChanged", data: { squadId, at: now, changes: { description: "x".repeat(2_000_000) } } },
  ];

  it("has at most 256 KiB of UTF-8 as JSON, and exactly so much", () => {
    const linked = following(pair, link(1, "mbr_1", "mbr_2"));
    const room = MAX_SQUAD_BYTES - bytesOf(following(linked, described(0)));
    const exactly = room - (room % 2);
    expect(bytesOf(following(linked, described(exactly)))).toBeGreaterThan(MAX_SQUAD_BYTES - 2);
    given(...linked)
      .when(described(exactly + 2))
      .thenRefused("squad.limit-reached");
  });

  it("counts its members and handoffs, however they come", () => {
    const text = "x".repeat(MAX_SQUAD_BYTES);
    const overrideSettings = { greetingMessage: text };
    const linked = following(pair, link(1, "mbr_1", "mbr_2"));
    const refused: readonly SquadCommand[] = [
      add(3, { overrideSettings }),
      { type: "ChangeMember", memberId: "mbr_1", changes: { overrideSettings }, now },
      link(2, "mbr_2", "mbr_1", { description: text }),
      { type: "ChangeHandoff", handoffId: "hnd_1", changes: { message: text }, now },
      { type: "ChangeSquad", changes: { overrideSettings }, now },
    ];
    for (const command of refused)
      given(...linked)
        .when(command)
        .thenRefused("squad.limit-reached");
    given()
      .when({
        ...creation,
        members: [member(1), member(2)],
        handoffs: [{ ...handoff(1, "ast_1", "ast_2"), description: text }],
      })
      .thenRefused("squad.limit-reached");
  });

  it("may become smaller where it was larger before, and no larger", () => {
    const smaller: readonly SquadCommand[] = [
      described(1_000_000, "x"),
      { type: "RemoveMember", memberId: "mbr_2", now },
      { type: "DeleteSquad", now },
    ];
    for (const command of smaller) expect(following(large, command).length).toBeGreaterThan(large.length);
    given(...large)
      .when(add(3))
      .thenRefused("squad.limit-reached");
  });
});

describe("deleting a squad", () => {
  it("is recorded", () =>
    given(...pair)
      .when({ type: "DeleteSquad", now })
      .thenEvents({ type: "SquadDeleted", data: { squadId, at: now } }));
});

describe("changing a squad", () => {
  it("records what is new, and nothing else", () => {
    given(...empty)
      .when({ type: "ChangeSquad", changes: { name: "Team", description: "New" }, now })
      .thenEvents({ type: "SquadChanged", data: { squadId, at: now, changes: { description: "New" } } });
    given(...empty)
      .when({ type: "ChangeSquad", changes: { name: "Team" }, now })
      .thenEvents();
    expect(state(following(empty, { type: "ChangeSquad", changes: { name: "Other" }, now })).name).toBe(
      "Other",
    );
  });
});

describe("members", () => {
  it("the first is the entry until another is named", () => {
    expect(entries(pair)).toEqual(["mbr_1"]);
    expect(
      entries(following(pair, { type: "ChangeMember", memberId: "mbr_2", changes: { isEntry: true }, now })),
    ).toEqual(["mbr_2"]);
    expect(entries(following(pair, add(3, { isEntry: true })))).toEqual(["mbr_3"]);
  });
  it("come one after another unless a position is given", () => {
    const positions = [...state(following(pair, add(3, { position: 9 }))).members.values()].map(
      ({ position }) => position,
    );
    expect(positions).toEqual([0, 1, 9]);
    expect(
      [...state(following(following(pair, add(3, { position: 9 })), add(4))).members.values()].at(-1)
        ?.position,
    ).toBe(10);
  });
  it("hold an assistant once", () =>
    given(...pair)
      .when(add(3, { assistantId: "ast_2" }))
      .thenRefused("squad.member-exists", { assistantId: "ast_2" }));
  it("are added once under one id", () =>
    given(...pair)
      .when(add(2))
      .thenEvents());
  it("are at most twenty", () => {
    const twenty = Array.from({ length: 20 }, (_, index) => member(index));
    given()
      .when({ ...creation, members: twenty })
      .events();
    given()
      .when({ ...creation, members: [...twenty, member(20)] })
      .thenRefused("squad.limit-reached");
  });
  it("change what is given, and the entry cannot be nobody", () => {
    expect(
      given(...pair)
        .when({ type: "ChangeMember", memberId: "mbr_2", changes: { position: 5 }, now })
        .events(),
    ).toMatchObject([{ data: { member: { memberId: "mbr_2", position: 5, isEntry: false } } }]);
    given(...pair)
      .when({ type: "ChangeMember", memberId: "mbr_1", changes: { isEntry: false }, now })
      .thenEvents();
    given(...pair)
      .when({ type: "ChangeMember", memberId: "mbr_9", changes: {}, now })
      .thenRefused("squad.member-not-found", { memberId: "mbr_9" });
  });
  it("leave with their links, and the lowest position becomes the entry", () => {
    const linked = following(
      following(following(pair, add(3, { position: 0 })), link(1, "mbr_1", "mbr_2")),
      link(2, "mbr_2", "mbr_3"),
    );
    const removed = given(...linked)
      .when({ type: "RemoveMember", memberId: "mbr_1", now })
      .events();
    expect(removed).toEqual([
      {
        type: "SquadMemberRemoved",
        data: {
          squadId,
          at: now,
          memberId: "mbr_1",
          removedHandoffIds: ["hnd_1"],
          newEntryMemberId: "mbr_3",
        },
      },
    ]);
    expect(entries([...linked, ...removed])).toEqual(["mbr_3"]);
    expect([...state([...linked, ...removed]).handoffs.keys()]).toEqual(["hnd_2"]);
    given(...pair)
      .when({ type: "RemoveMember", memberId: "mbr_9", now })
      .thenRefused("squad.member-not-found", { memberId: "mbr_9" });
  });
  it("leave with the links that lead to them", () =>
    expect(
      given(...following(pair, link(1, "mbr_1", "mbr_2")))
        .when({ type: "RemoveMember", memberId: "mbr_2", now })
        .events(),
    ).toMatchObject([{ data: { removedHandoffIds: ["hnd_1"] } }]));
  it("leave the entry alone when they were not it, and nobody when they were the last", () => {
    expect(
      given(...pair)
        .when({ type: "RemoveMember", memberId: "mbr_2", now })
        .events(),
    ).toMatchObject([{ data: { newEntryMemberId: null } }]);
    expect(
      given(...following(empty, add(1)))
        .when({ type: "RemoveMember", memberId: "mbr_1", now })
        .events(),
    ).toMatchObject([{ data: { newEntryMemberId: null } }]);
  });
});

describe("handoffs", () => {
  const linked = following(pair, link(1, "ast_1", "ast_2"));
  it("name their ends by member or assistant", () =>
    expect([...state(linked).handoffs.values()]).toMatchObject([
      { fromMemberId: "mbr_1", toMemberId: "mbr_2" },
    ]));
  it("need both ends in the squad, and two of them", () => {
    given(...pair)
      .when(link(1, "mbr_1", "mbr_9"))
      .thenRefused("squad.handoff-end-unknown", { end: "to" });
    given(...pair)
      .when(link(1, "mbr_9", "mbr_1"))
      .thenRefused("squad.handoff-end-unknown", { end: "from" });
    given(...pair)
      .when(link(1, "mbr_1", "ast_1"))
      .thenRefused("squad.handoff-to-itself");
  });
  it.each([
    ["from", link(1, "mbr_9", "mbr_1")],
    ["to", link(1, "mbr_1", "mbr_9")],
  ] as const)("say which end is no member: %s", (end, command) =>
    expect(() =>
      given(...pair)
        .when(command)
        .events(),
    ).toThrow(expect.objectContaining({ code: "squad.handoff-end-unknown", details: { end } })),
  );
  it("are one per direction", () => {
    given(...linked)
      .when(link(2, "mbr_1", "mbr_2"))
      .thenRefused("squad.handoff-exists");
    given(...linked)
      .when(link(2, "mbr_2", "mbr_1"))
      .thenTypes("SquadHandoffAdded");
    given(...linked)
      .when(link(1, "mbr_1", "mbr_2"))
      .thenEvents();
  });
  it("have tool names of their own per member", () => {
    const three = following(linked, add(3));
    expect(
      given(...three)
        .when(link(2, "mbr_1", "mbr_3"))
        .events(),
    ).toMatchObject([{ data: { handoff: { toolName: "handoff_to_x_2" } } }]);
    expect(
      given(...three)
        .when(link(2, "mbr_2", "mbr_3"))
        .events(),
    ).toMatchObject([{ data: { handoff: { toolName: "handoff_to_x" } } }]);
    const others = following(three, link(2, "mbr_2", "mbr_3", { toolName: "other" }));
    expect(
      given(...others)
        .when({ type: "ChangeHandoff", handoffId: "hnd_2", changes: { toolName: "handoff_to_x" }, now })
        .events(),
    ).toMatchObject([{ data: { handoff: { toolName: "handoff_to_x" } } }]);
    const both = following(three, link(2, "mbr_1", "mbr_3", { toolName: "other" }));
    expect(
      given(...both)
        .when({ type: "ChangeHandoff", handoffId: "hnd_2", changes: { toolName: "handoff_to_x" }, now })
        .events(),
    ).toMatchObject([{ data: { handoff: { toolName: "handoff_to_x_2" } } }]);
  });
  it("have a higher number with each that has the tool already, and keep their own", () => {
    const four = following(following(linked, add(3)), add(4));
    const two = following(four, link(2, "mbr_1", "mbr_3"));
    const three = following(two, link(3, "mbr_1", "mbr_4"));
    expect([...state(three).handoffs.values()].map(({ toolName }) => toolName)).toEqual([
      "handoff_to_x",
      "handoff_to_x_2",
      "handoff_to_x_3",
    ]);
    given(...three)
      .when({ type: "ChangeHandoff", handoffId: "hnd_2", changes: { toolName: "handoff_to_x_2" }, now })
      .thenEvents();
  });
  it("are at most ten per member", () => {
    const members = Array.from({ length: 12 }, (_, index) => member(index));
    const ten = Array.from({ length: 10 }, (_, index) => handoff(index, "mbr_0", `mbr_${index + 1}`));
    given()
      .when({ ...creation, members, handoffs: ten })
      .events();
    given()
      .when({ ...creation, members, handoffs: [...ten, handoff(10, "mbr_0", "mbr_11")] })
      .thenRefused("squad.limit-reached");
  });
  it("change and go", () => {
    expect(
      given(...linked)
        .when({ type: "ChangeHandoff", handoffId: "hnd_1", changes: { enabled: false }, now })
        .events(),
    ).toMatchObject([
      { type: "SquadHandoffChanged", data: { handoff: { enabled: false, toolName: "handoff_to_x" } } },
    ]);
    given(...linked)
      .when({ type: "ChangeHandoff", handoffId: "hnd_1", changes: { enabled: true }, now })
      .thenEvents();
    const off = following(linked, {
      type: "ChangeHandoff",
      handoffId: "hnd_1",
      changes: { enabled: false },
      now,
    });
    expect(state(off).handoffs.get("hnd_1")).toMatchObject({ enabled: false });
    given(...linked)
      .when({ type: "RemoveHandoff", handoffId: "hnd_1", now })
      .thenEvents({ type: "SquadHandoffRemoved", data: { squadId, at: now, handoffId: "hnd_1" } });
    given(...linked)
      .when({ type: "RemoveHandoff", handoffId: "hnd_9", now })
      .thenRefused("squad.handoff-not-found", { handoffId: "hnd_9" });
    expect(state(following(linked, { type: "RemoveHandoff", handoffId: "hnd_1", now })).handoffs.size).toBe(
      0,
    );
  });
});
