import { beforeAll, describe, expect, it } from "vitest";
import type { ApiUser, Wire } from "../support/api-user.ts";
import type { TestService } from "../support/service.ts";
import { made } from "../support/things.ts";

const SQUADS = "/api/v1/squads";

/** docs/api.md §6. */
export function squads(service: () => TestService): void {
  describe("squads", () => {
    let user: ApiUser;
    let assistants: string[];
    beforeAll(async () => {
      user = await service().newOwner();
      assistants = [];
      for (const name of ["Ada", "Ben", "Cem"]) {
        const assistant = await made(user, "/api/v1/assistants", {
          name,
          greetingMessage: "",
          systemPrompt: "",
        });
        assistants.push(assistant.id);
      }
    });
    const create = (count = 2): Promise<Wire> =>
      made(user, SQUADS, {
        name: "Reception",
        members: assistants.slice(0, count).map((assistantId) => ({ assistantId })),
        handoffs: [
          { fromAssistantId: assistants[0], toAssistantId: assistants[1], description: "On invoices" },
        ],
      });

    it("are made whole, and read with members and handoffs", async () => {
      const squad = await create();
      expect(squad.members.map(({ isEntry }: Wire) => isEntry)).toEqual([true, false]);
      expect(squad.handoffs[0]).toMatchObject({
        toolName: expect.stringMatching(/^handoff_to_/),
        enabled: true,
      });
      expect((await user.send("GET", `${SQUADS}/${squad.id}`)).body.data).toEqual(squad);
      const list = await user.send("GET", `${SQUADS}?limit=1`);
      expect(list.body.data).toEqual([squad]);
    });

    it("change, and are gone from every read when they are deleted", async () => {
      const squad = await create();
      const body = { description: "First line", overrideSettings: { voice: "warm" } };
      const changed = await user.send("PATCH", `${SQUADS}/${squad.id}`, { body });
      expect(changed.body.data).toMatchObject(body);
      const deleted = await user.send("DELETE", `${SQUADS}/${squad.id}`);
      expect(deleted.body.data).toEqual({ id: squad.id, deleted: true });
      expect((await user.send("GET", `${SQUADS}/${squad.id}`)).status).toBe(404);
    });

    it("take members, named by path, query or body", async () => {
      const squad = await create();
      const path = `${SQUADS}/${squad.id}/members`;
      const member = await made(user, path, { assistantId: assistants[2], position: 7 });
      const byBody = await user.send("PATCH", path, { body: { memberId: member.id, position: 8 } });
      expect(byBody.body.data.position).toBe(8);
      const byQuery = await user.send("PATCH", `${path}?memberId=${member.id}`, { body: { isEntry: true } });
      expect(byQuery.body.data.isEntry).toBe(true);
      const byPath = await user.send("PATCH", `${path}/${member.id}`, {
        body: { overrideSettings: { temperature: 0.5, greetingMessage: "Hi" } },
      });
      expect(byPath.body.data.overrideSettings).toEqual({ temperature: 0.5, greetingMessage: "Hi" });
      for (const wrong of [{ a: 1 }, { temperature: 3 }, { greetingMessage: "x".repeat(4_097) }, []]) {
        const refused = await user.send("PATCH", `${path}/${member.id}`, {
          body: { overrideSettings: wrong },
        });
        expect([refused.status, refused.body.error.details[0].path[0]]).toEqual([400, "overrideSettings"]);
      }
      const removed = await user.send("DELETE", `${path}?memberId=${member.id}`);
      expect(removed.body.data).toMatchObject({ id: member.id, deleted: true });
      expect(removed.body.data.newEntryMemberId).toBe(squad.members[0].id);
      const first = await user.send("DELETE", `${path}/${squad.members[0].id}`);
      expect(first.body.data.removedHandoffIds).toEqual([squad.handoffs[0].id]);
      const last = await user.send("DELETE", path, { body: { memberId: squad.members[1].id } });
      expect(last.status).toBe(200);
    });

    it("take handoffs, named by path, query or body", async () => {
      const squad = await create(3);
      const path = `${SQUADS}/${squad.id}/handoffs`;
      const ends = { fromMemberId: squad.members[1].id, toAssistantId: assistants[2] };
      const handoff = await made(user, path, { ...ends, description: "Back" });
      const byBody = await user.send("PATCH", path, { body: { handoffId: handoff.id, enabled: false } });
      expect(byBody.body.data.enabled).toBe(false);
      const byPath = await user.send("PATCH", `${path}/${handoff.id}`, { body: { message: "One moment" } });
      expect(byPath.body.data.message).toBe("One moment");
      expect((await user.send("DELETE", `${path}/${handoff.id}`)).body.data).toEqual({
        id: handoff.id,
        deleted: true,
      });
      const [other] = squad.handoffs;
      expect((await user.send("DELETE", path, { body: { handoffId: other.id } })).status).toBe(200);
    });

    it("refuse what stands already, with 409", async () => {
      const squad = await create();
      const member = await user.send("POST", `${SQUADS}/${squad.id}/members`, {
        body: { assistantId: assistants[0] },
      });
      expect([member.status, member.body.error.code]).toEqual([409, "SQUAD_MEMBER_EXISTS"]);
      const handoff = await user.send("POST", `${SQUADS}/${squad.id}/handoffs`, {
        body: { fromAssistantId: assistants[0], toAssistantId: assistants[1], description: "" },
      });
      expect([handoff.status, handoff.body.error.code]).toEqual([409, "HANDOFF_EXISTS"]);
      const twice = {
        name: "Twice",
        members: [{ assistantId: assistants[0] }, { assistantId: assistants[0] }],
      };
      const whole = await user.send("POST", SQUADS, { body: twice });
      expect([whole.status, whole.body.error.code]).toEqual([409, "SQUAD_MEMBER_EXISTS"]);
    });

    it("refuse what would make them larger than 256 KiB, with 409", async () => {
      const full = (count: number) => Array.from({ length: count }, (_, number) => variable(number));
      const variable = (number: number) => ({
        name: `v${number}`,
        type: "string",
        description: "€".repeat(1_024),
        required: false,
      });
      const [from, to, third] = assistants;
      const link = (
        fromAssistantId: string | undefined,
        toAssistantId: string | undefined,
        count: number,
      ) => ({
        fromAssistantId,
        toAssistantId,
        description: "On invoices",
        variables: full(count),
      });
      const members = assistants.map((assistantId) => ({ assistantId }));
      const handoffs = [link(from, to, 50), link(to, third, 31), link(from, third, 1)];
      const squad = await made(user, SQUADS, {
        name: "Large",
        description: "x".repeat(1_000),
        members,
        handoffs,
      });
      const greeting = { overrideSettings: { greetingMessage: "x".repeat(4_096) } };
      const [member] = squad.members;
      const small = squad.handoffs.at(-1);
      const path = `${SQUADS}/${squad.id}`;
      const asked: readonly (readonly ["POST" | "PATCH", string, object])[] = [
        ["POST", SQUADS, { name: "Larger", members, handoffs: [...handoffs, link(third, to, 10)] }],
        ["PATCH", path, { description: "x".repeat(4_096), ...greeting }],
        ["PATCH", `${path}/members`, { memberId: member.id, ...greeting }],
        ["PATCH", `${path}/members/${member.id}`, greeting],
        ["POST", `${path}/handoffs`, link(third, to, 5)],
        ["PATCH", `${path}/handoffs`, { handoffId: small.id, variables: full(5) }],
        ["PATCH", `${path}/handoffs/${small.id}`, { variables: full(5) }],
      ];
      for (const [method, to, body] of asked) {
        const { status, body: answer } = await user.send(method, to, { body });
        expect([method, to, status, answer.error?.code]).toEqual([method, to, 409, "SQUAD_LIMIT_REACHED"]);
        expect(answer.error.message).toMatch(/256 KiB/);
      }
      expect((await user.send("GET", path)).body.data).toEqual(squad);
    });

    it("refuse ends that are no members, both ends the same, and an assistant that is none", async () => {
      const squad = await create();
      const path = `${SQUADS}/${squad.id}`;
      const link = { fromAssistantId: assistants[0], description: "" };
      const stranger = { ...link, toAssistantId: assistants[2] };
      const unknown = await user.send("POST", `${path}/handoffs`, { body: stranger });
      expect(unknown.body.error.details[0].path).toEqual(["toAssistantId"]);
      const itself = { ...link, toAssistantId: assistants[0] };
      const same = await user.send("POST", `${path}/handoffs`, { body: itself });
      expect([same.status, same.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
      const nobody = await user.send("POST", `${path}/members`, { body: { assistantId: "ast_none" } });
      expect([nobody.status, nobody.body.error.code]).toEqual([400, "ASSISTANT_NOT_FOUND"]);
    });

    it("answer 400 for an unknown item in the body, 404 for one in the query", async () => {
      const squad = await create();
      const unknown = squad.members[0].id.replace(/.{4}$/, "0000");
      const path = `${SQUADS}/${squad.id}/members`;
      const inBody = await user.send("DELETE", path, { body: { memberId: unknown } });
      expect([inBody.status, inBody.body.error.code]).toEqual([400, "SQUAD_MEMBER_NOT_FOUND"]);
      const inQuery = await user.send("DELETE", `${path}?memberId=${unknown}`);
      expect([inQuery.status, inQuery.body.error.code]).toEqual([404, "SQUAD_MEMBER_NOT_FOUND"]);
      const nameless = await user.send("DELETE", path);
      expect(nameless.body.error.details).toEqual([{ path: ["memberId"], message: "Required" }]);
    });

    it("keep an assistant that is a member from being deleted", async () => {
      await create();
      const answer = await user.send("DELETE", `/api/v1/assistants/${assistants[0]}`);
      expect([answer.status, answer.body.error.code]).toEqual([409, "ASSISTANT_IN_USE"]);
    });
  });
}
