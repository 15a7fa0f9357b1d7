import { beforeAll, describe, expect, it } from "vitest";
import { buildServer } from "../../api/server.ts";
import { type ApiKeyScope, allows, SCOPES } from "../../contract/scopes.ts";
import { systemIds } from "../../infrastructure/ids.ts";
import { type Document, loadDocument } from "./support/document.ts";
import { configurationThat, throwingDeps } from "./support/inert-deps.ts";

/** docs/api.md §2 and the tables after it, read by hand: what each operation needs. */
const NEEDED: Readonly<Record<ApiKeyScope, string>> = {
  "calls:read":
    "listActiveCalls getOutboundCall listCalls getCallSeries getNumber getCall listCallEvents getRecording listSuppressions getSuppression listSuppressionLists getSuppressionList",
  "calls:write":
    "startOutboundCall endCall requestAnalysis addSuppression deleteSuppression createSuppressionList changeSuppressionList deleteSuppressionList replaceListNumbers",
  "campaigns:read":
    "listCampaigns getCampaign getCampaignStatistics getCampaignProgress getCampaignStory explainContact listContacts getContact listContactEvents exportContacts listCampaignEvents",
  "campaigns:write":
    "createCampaign importCampaign addContacts startCampaign pauseCampaign resumeCampaign cancelCampaign deleteCampaign changeCampaign skipContact " +
    "pauseAllCampaigns testCampaignCall previewCampaign",
  "squads:read": "listSquads getSquad",
  "squads:write":
    "createSquad changeSquad deleteSquad addSquadMember changeSquadMember changeSquadMemberById removeSquadMember " +
    "removeSquadMemberById addHandoff changeHandoff changeHandoffById removeHandoff removeHandoffById",
  "tools:read": "listTools getTool listSecrets",
  "tools:write": "createTool changeTool deleteTool testTool putSecret deleteSecret",
  "assistants:*":
    "listAssistants getAssistant createAssistant changeAssistant deleteAssistant publishAssistant unpublishAssistant listAssistantVersions testOutcome " +
    "createRehearsal listRehearsals getRehearsal listRuns getRun cancelRehearsal deleteRehearsal",
  "phone-numbers:*": "listPhoneNumbers getPhoneNumber createPhoneNumber changePhoneNumber deletePhoneNumber",
  "webhooks:*":
    "getWebhook putWebhook showWebhookSecret rotateWebhookSecret testWebhook listDeliveries getDelivery replayDelivery replayRange",
  "events:read": "listEvents",
  "account:read": "getAccount getLimits listLedger getUsage getPolicy listPolicyVersions",
  admin:
    "createApiKey listApiKeys revokeApiKey listConnections getConnection createConnection changeConnection deleteConnection checkConnection eraseCallContent erase listErasures changeAccount putPolicy testEligibility verifyPolicy listVerifications getVerification exportViolations",
  operator: "topUp createUser listUsers changeUser createAdminKey",
};

/** Asked with whichever key; they answer what it may read. */
const ANY = ["search"];

const table = Object.entries(NEEDED).flatMap(([scope, names]) =>
  names.split(" ").map((name) => ({ scope: SCOPES.find((known) => known === scope) ?? "admin", name })),
);

describe("scopes", () => {
  let document: Document;
  beforeAll(async () => {
    document = await loadDocument();
  });

  it("are asked of every operation as the contract says", () => {
    const asked = document.operations.filter(({ scope }) => scope !== null);
    expect(asked.map(({ operationId, scope }) => `${operationId} ${scope}`).toSorted()).toEqual(
      [...table.map(({ name, scope }) => `${name} ${scope}`), ...ANY.map((name) => `${name} any`)].toSorted(),
    );
  });

  it.each(SCOPES)("%s opens its own operations and no others", async (scope) => {
    const verify = async () => ({
      owner: systemIds.next("usr"),
      keyId: systemIds.next("key"),
      scopes: [scope],
    });
    const failure = () => new Error("reached");
    const api = buildServer(throwingDeps(failure, { configuration: configurationThat(failure, verify) }));
    for (const { method, path, operationId } of document.operations.filter((each) => each.scope !== null)) {
      const { statusCode } = await api.inject({
        method: method as "GET",
        url: path.replaceAll(/[{}]/g, ""),
        headers: { authorization: "Bearer any" },
      });
      const needed = table.find(({ name }) => name === operationId)?.scope;
      const open =
        ANY.includes(operationId) || needed === scope || (scope === "admin" && needed !== "operator");
      expect(statusCode !== 403, operationId).toBe(open);
    }
    await api.close();
  });

  it("admin is all but operator, and write does not include read", () => {
    expect(SCOPES.filter((scope) => !allows(["admin"], scope))).toEqual(["operator"]);
    expect(allows(["calls:write"], "calls:read")).toBe(false);
  });
});
