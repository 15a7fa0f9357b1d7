import type { OutboundCallRequest } from "../../../application/call/start-outbound-call.ts";
import type { AssistantVersion, ToolEntry } from "../../../application/ports/directory.ts";
import { DEFAULT_ASSISTANT } from "../../../application/settings.ts";
import type { MemberInput } from "../../../application/squad/squad-requests.ts";
import type { CallRequested } from "../../../domain/call/events.ts";
import type { CampaignId, SquadId, ToolId } from "../../../domain/shared/ids.ts";
import type { JsonObject } from "../../../domain/shared/json.ts";
import { createRememberingCodec } from "../../../simulation/campaigns/remembering-codec.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import {
  ASSISTANT,
  CALLER,
  engineProcess,
  OWNER,
  PHONE_NUMBER,
  pass,
  sharedStores,
  until,
} from "../engine-world.ts";
import { campaignRequest } from "../example-request.ts";

const VERSION: AssistantVersion = {
  assistantId: ASSISTANT,
  version: 1,
  name: "Ada",
  greetingMessage: "Hello",
  systemPrompt: "Be brief.",
  ...DEFAULT_ASSISTANT,
  maxDurationSeconds: 60,
};

const MEMBER: MemberInput = {
  assistantId: ASSISTANT,
  assistantVersion: null,
  isEntry: false,
  position: null,
  overrideSettings: {},
};

type Call = CallRequested["data"];

/** An owner's configuration as a test changes it, and the calls that are made with it. */
export function createUseCasesWorld() {
  const stores = sharedStores();
  let engine = engineProcess(stores);
  const calls = (): readonly Call[] =>
    stores.database.events.flatMap((stored) => {
      const decoded = createRememberingCodec(stores.keys).decodeNow(stored);
      const event = decoded.kind === "event" ? decoded.recorded.event : null;
      return event?.type === "CallRequested" ? [event.data] : [];
    });
  const only = (callId: string): Call => {
    const found = calls().find((call) => call.callId === callId);
    if (found === undefined) throw new Error(`no call ${callId}`);
    return found;
  };
  return {
    tool: (toolId: ToolId, { name, ...rest }: Partial<ToolEntry> & { readonly name: string }) =>
      stores.directory.setTool(OWNER, {
        toolId,
        name,
        type: "API_REQUEST",
        description: "",
        config: { url: "https://a.example/", method: "GET" },
        ...rest,
      }),
    publish: (changes: Partial<AssistantVersion>) =>
      stores.directory.publish(OWNER, { ...VERSION, ...changes }),
    publishOther: () => stores.directory.publish(OWNER, { ...VERSION, assistantId: "ast_2", name: "Other" }),
    squad: async (
      named: { readonly name: string; readonly description: null; readonly overrideSettings: JsonObject },
      overrideSettings: JsonObject,
      toolName: string | null = null,
    ): Promise<SquadId> => {
      const reservedSquadId = "sqd_1";
      const members = [
        { ...MEMBER, assistantId: "ast_2" },
        { ...MEMBER, overrideSettings },
      ];
      const handoff = {
        from: ASSISTANT,
        to: "ast_2",
        toolName,
        description: "When they want to pay",
        message: "One moment",
        contextMode: "last_n" as const,
        contextMaxMessages: 4,
        variables: [{ name: "amount", type: "number" as const, description: "How much", required: true }],
        enabled: true,
      };
      const disabled = { ...handoff, from: "ast_2", to: ASSISTANT, enabled: false };
      const made = engine.useCases.createSquad(CALLER, {
        ...named,
        reservedSquadId,
        members,
        handoffs: [handoff, disabled],
      });
      await until(stores, made);
      return reservedSquadId;
    },
    call: async (changes: Partial<OutboundCallRequest> = {}): Promise<Call> => {
      const answer = await until(
        stores,
        engine.useCases.startOutboundCall(CALLER, {
          reservedCallId: null,
          phoneNumberId: PHONE_NUMBER,
          assistantId: ASSISTANT,
          squadId: null,
          to: "+12025550100",
          greetingMessage: "Hi",
          specialInstructions: null,
          metadata: {},
          ...changes,
        }),
      );
      if (!answer.ok) throw new Error(answer.refusal.message);
      return only(answer.value.callId);
    },
    campaign: async (changes: Parameters<typeof campaignRequest>[1] = {}): Promise<CampaignId> => {
      const made = await until(stores, engine.useCases.createCampaign(CALLER, campaignRequest(2, changes)));
      if (!made.ok) throw new Error(made.refusal.message);
      return made.value.campaignId;
    },
    /** Starts the campaign and answers its calls once all of its contacts are dialled. */
    dialed: async (campaignId: CampaignId): Promise<readonly Call[]> => {
      await until(stores, engine.useCases.startCampaign(CALLER, campaignId));
      const ofCampaign = () => calls().filter((call) => call.campaignId === campaignId);
      return eventually("both dials", async () => {
        await pass(stores, 1_000);
        return ofCampaign().length === 2 ? ofCampaign() : null;
      });
    },
    testCall: async (campaignId: CampaignId): Promise<Call> => {
      const request = { reservedCallId: null, campaignId, contactId: null, to: "+12025550101" } as const;
      const answer = await until(stores, engine.useCases.startTestCall(CALLER, request));
      if (!answer.ok) throw new Error(answer.refusal.message);
      return only(answer.value.callId);
    },
    /** As the log of an older release has it, read by a process of this one. */
    forgetPin: () => {
      for (const { type, data } of stores.database.events)
        if (type === "CampaignCreated") Reflect.deleteProperty(data as object, "pinned");
      engine.stop();
      engine = engineProcess(stores, { processId: "two" });
    },
    pinnedOf: async ({ pinned }: Call) =>
      pinned === undefined ? null : stores.pinnedConversations.read(pinned),
  };
}
