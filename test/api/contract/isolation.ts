import { beforeAll, describe, expect, it } from "vitest";
import type { ApiUser, Wire } from "../support/api-user.ts";
import type { Operation } from "../support/document.ts";
import type { TestService } from "../support/service.ts";
import { callable, campaignBody, endedCall, made } from "../support/things.ts";

/** A secret is made by its name, and a number that an owner does not know has empty lists. */
const KNOWN_TO_ALL = ["putSecret", "getNumber"];

type Ids = Readonly<Record<string, string>>;

/** A property of every route with an id in its path: another owner's id reads as one that was never made. */
export function isolation(service: () => TestService): void {
  describe("another owner's ids", () => {
    let stranger: ApiUser;
    let theirs: Ids;
    beforeAll(async () => {
      const owner = await service().newOwner();
      theirs = await everything(owner);
      stranger = await service().newOwner();
    });

    it("are 404 on every route, with the body of an unknown one", async () => {
      const operations = service().document.operations.filter(
        ({ path, scope, operationId }) =>
          path.includes("{") && scope !== "operator" && !KNOWN_TO_ALL.includes(operationId),
      );
      expect(operations.length).toBeGreaterThan(40);
      for (const operation of operations) {
        const asTheirs = await ask(stranger, operation, theirs);
        const asUnknown = await ask(stranger, operation, unknown(theirs));
        expect(asTheirs.status, operation.operationId).toBe(404);
        expect(asTheirs.body, operation.operationId).toEqual(asUnknown.body);
      }
    });

    it("are not in any list", async () => {
      const lists = service().document.operations.filter(
        ({ method, path, scope }) =>
          method === "GET" && !path.includes("{") && scope !== null && scope !== "operator",
      );
      expect(lists.length).toBeGreaterThan(12);
      for (const { path, operationId } of lists) {
        const { text } = await stranger.send("GET", path);
        for (const id of Object.values(theirs)) expect(text, operationId).not.toContain(id);
      }
    });

    it("are unknown in a body", async () => {
      const { assistantId, phoneNumberId } = theirs;
      const body = { assistantId, phoneNumberId, to: "+15005550006" };
      const call = await stranger.send("POST", "/api/v1/calls/outbound", { body });
      expect(call.body).toEqual({ success: false, error: "Assistant not found" });
    });
  });
}

/** An operator's routes reach every owner; an unknown one is 404. */
export function unknownUsers(service: () => TestService): void {
  it("an unknown user is 404", async () => {
    const answer = await service().operator.send("PATCH", "/api/v1/users/usr_none", { body: { name: "x" } });
    expect([answer.status, answer.body.error.code]).toEqual([404, "USER_NOT_FOUND"]);
  });
}

/** One of everything that has an id. */
async function everything(owner: ApiUser): Promise<Ids> {
  const ready = await callable(owner);
  const other = await made(owner, "/api/v1/assistants", { name: "B", greetingMessage: "", systemPrompt: "" });
  const { campaign } = await made(owner, "/api/v1/campaigns", campaignBody(ready));
  const contacts = await owner.send("GET", `/api/v1/campaigns/${campaign.id}/contacts`);
  const squad = await made(owner, "/api/v1/squads", {
    name: "S",
    members: [{ assistantId: ready.assistantId }, { assistantId: other.id }],
    handoffs: [{ fromAssistantId: ready.assistantId, toAssistantId: other.id, description: "" }],
  });
  const config = { url: "https://a.example", method: "GET" };
  const tool = await made(owner, "/api/v1/tools", { name: "t", type: "API_REQUEST", config });
  const key = await made(owner, "/api/v1/api-keys", { name: "k", scopes: ["calls:read"] });
  const connection = await made(owner, "/api/v1/connections", {
    kind: "model",
    name: "m",
    settings: { baseUrl: "https://127.0.0.1:65000/v1", defaultModel: "m" },
    secrets: { apiKey: "k" },
  });
  const rehearsed = await owner.send("POST", "/api/v1/rehearsals", {
    body: {
      ...{ name: "r", assistantId: ready.assistantId },
      cases: [{ name: "c", caller: { says: [] }, expect: [{ optedOut: false }] }],
    },
  });
  const rehearsalId: string = rehearsed.body.data.id;
  const runs = await owner.send("GET", `/api/v1/rehearsals/${rehearsalId}/runs`);
  const list = await made(owner, "/api/v1/suppression-lists", { name: "l", kind: "other" });
  await owner.send("PUT", "/api/v1/secrets/THEIR_SECRET", { body: { value: "x" } });
  await made(owner, "/api/v1/suppressions", { phoneNumber: "+14155552671" });
  await owner.send("PUT", "/api/v1/webhook", { body: { url: "http://127.0.0.1:65000/x", enabled: false } });
  const call = await owner.send("POST", "/api/v1/calls/outbound", { body: { ...ready, to: "+15005550002" } });
  await endedCall(owner, call.body.callId);
  return {
    ...ready,
    campaignId: campaign.id,
    contactId: contacts.body.data[0].id,
    squadId: squad.id,
    memberId: squad.members[0].id,
    handoffId: squad.handoffs[0].id,
    toolId: tool.id,
    keyId: key.id,
    connectionId: connection.id,
    listId: list.id,
    rehearsalId,
    runId: runs.body.data[0].runId,
    callId: call.body.callId,
    deliveryId: await deliveryOf(owner),
    secret: "THEIR_SECRET",
    suppressed: "+14155552671",
  };
}

async function deliveryOf(owner: ApiUser): Promise<string> {
  for (;;) {
    const { body } = await owner.send("GET", "/api/v1/webhook/deliveries");
    const [delivery]: Wire[] = body.data;
    if (delivery !== undefined) return delivery.id;
  }
}

/** Ids of the same form that were never made. */
function unknown(ids: Ids): Ids {
  const changed = (id: string) => (/_[0-9a-z]{26}$/.test(id) ? `${id.slice(0, -4)}zzzz` : id);
  return {
    ...Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, changed(id)])),
    secret: "NO_SUCH_SECRET",
    suppressed: "+14155552672",
  };
}

const RESOURCES: Readonly<Record<string, string>> = {
  campaigns: "campaignId",
  squads: "squadId",
  assistants: "assistantId",
  "phone-numbers": "phoneNumberId",
  "suppression-lists": "listId",
  rehearsals: "rehearsalId",
  "api-keys": "keyId",
  connections: "connectionId",
  webhook: "deliveryId",
};

function ask(user: ApiUser, operation: Operation, ids: Ids) {
  const resource = operation.path.split("/")[3] ?? "";
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const known = { name: ids["secret"], phoneNumber: ids["suppressed"], ...ids }[name];
    return encodeURIComponent((name === "id" ? ids[RESOURCES[resource] ?? ""] : known) ?? "");
  });
  const named = { changeSquadMember: "memberId", removeSquadMember: "memberId" }[operation.operationId];
  const linked = { changeHandoff: "handoffId", removeHandoff: "handoffId" }[operation.operationId];
  const query = named ?? linked;
  const search = query === undefined ? "" : `?${query}=${ids[query]}`;
  const body = operation.body === null ? undefined : (operation.example ?? {});
  return user.send(operation.method, `${path}${search}`, body === undefined ? {} : { body });
}
