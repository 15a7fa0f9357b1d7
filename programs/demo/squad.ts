import type { Client } from "../../client/api.ts";
import { answered } from "./api.ts";

export type DemoSquad = { readonly assistantId: string; readonly squadId: string };

/**
 * Two assistants: one reminds and can look up an account, one knows about invoices and takes over the call
 * when somebody asks for it.
 */
export async function makeSquad(client: Client, invoicesUrl: string): Promise<DemoSquad> {
  const tool = await answered(
    client.tools.createTool({
      name: "account_status",
      type: "API_REQUEST",
      description: "Looks up what is open on the account of the customer, and when it is due",
      config: { url: `${invoicesUrl}/accounts`, method: "GET", query: { phone: "{{caller_number}}" } },
    }),
  );
  const reminder = await answered(
    client.assistants.createAssistant({
      name: "Reception",
      greetingMessage:
        "Hello {{name}}, this is Ringfold Dental with a reminder of your appointment. Will you come?",
      systemPrompt: "You remind people of their appointment at the dentist, kindly and briefly.",
      toolIds: [tool.id],
    }),
  );
  const billing = await answered(
    client.assistants.createAssistant({
      name: "Billing",
      greetingMessage: "Hello, this is the billing department.",
      systemPrompt: "You answer questions about invoices.",
      toolIds: [tool.id],
    }),
  );
  for (const { id } of [reminder, billing]) await answered(client.assistants.publishAssistant(id));
  const squad = await answered(
    client.squads.createSquad({
      name: "Front desk",
      members: [{ assistantId: reminder.id, isEntry: true }, { assistantId: billing.id }],
      handoffs: [
        {
          fromAssistantId: reminder.id,
          toAssistantId: billing.id,
          description: "When the customer wants to talk to somebody about an invoice",
          message: "One moment, please, I will hand you over to my colleague.",
        },
      ],
    }),
  );
  return { assistantId: reminder.id, squadId: squad.id };
}
