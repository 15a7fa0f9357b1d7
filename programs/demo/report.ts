import type { Client } from "../../client/api.ts";
import { paginate } from "../../client/pages.ts";
import type { CallListRecord } from "../../contract/call.ts";
import type { ContactRecord } from "../../contract/contact.ts";
import { answered } from "./api.ts";
import type { Clinic } from "./clinic.ts";
import { type Agreement, agrees, clinicAgreements, clinicLines } from "./clinic-report.ts";
import { contactHistoryLines } from "./contact-history.ts";
import type { ContactList } from "./contact-list.ts";
import type { Invoices } from "./invoices.ts";
import type { Receiver } from "./receiver.ts";
import type { DemoCampaign } from "./set-up.ts";
import { storyLines } from "./story.ts";
import type { CampaignAnswer } from "./watch.ts";

export type Report = { readonly lines: readonly string[]; readonly allAgree: boolean };

/** The end of the demo: its results from every side that a customer has, and whether they agree. */
export async function report(
  client: Client,
  { receiver, invoices }: { readonly receiver: Receiver; readonly invoices: Pick<Invoices, "asked"> },
  list: ContactList,
  created: DemoCampaign,
  ended: CampaignAnswer,
  clinic: Clinic,
): Promise<Report> {
  const { id } = created.campaign;
  const contacts = await Array.fromAsync(paginate((page) => client.campaigns.listContacts(id, page)));
  const calls = await Array.fromAsync(
    paginate((page) => client.calls.listCalls({ ...page, campaignId: id })),
  );
  const { balance, reserved } = await answered(client.account.getAccount());
  const ofReminders = compare({
    list,
    created,
    ended,
    contacts,
    calls,
    receiver,
    spent: created.creditsBefore - balance,
    reserved,
  });
  const agreements = [...ofReminders, ...(await clinicAgreements(clinic))];
  const lines = [
    ...storyLines(contacts, receiver.endedCalls, created.statistics.totalContacts),
    ...webhookLines(receiver),
    `Tools: the assistants looked into the company's own server ${invoices.asked()} times.`,
    ...rejectedLines(created),
    ...clinicLines(clinic),
    "Do all sides tell the same?",
    ...agreements.map(
      (each) => `  ${agrees(each) ? "ok " : "NOT"} ${each.what}: ${each.left} = ${each.right}`,
    ),
    ...(await contactHistoryLines(client, id, contacts)),
  ];
  return { lines, allAgree: agreements.every(agrees) };
}

function webhookLines(receiver: Receiver): string[] {
  return [
    `Webhooks: ${receiver.verified() + receiver.refused()} arrived, ${receiver.verified()} with a valid signature, ${receiver.refused()} without; ${receiver.repeated()} came twice.`,
  ];
}

function rejectedLines({ rejectedContacts: { count, items } }: DemoCampaign): string[] {
  const examples = items
    .slice(0, 3)
    .map(
      ({ line, phoneNumber, reason }) => `    line ${line ?? "?"}: ${phoneNumber ?? "no number"} (${reason})`,
    );
  return [`Rows that nobody could be called by: ${count}`, ...examples];
}

type Seen = {
  readonly list: ContactList;
  readonly created: DemoCampaign;
  readonly ended: CampaignAnswer;
  readonly contacts: readonly ContactRecord[];
  readonly calls: readonly CallListRecord[];
  readonly receiver: Receiver;
  readonly spent: number;
  readonly reserved: number;
};

function compare({ list, created, ended, contacts, calls, receiver, spent, reserved }: Seen): Agreement[] {
  const { totalContacts, successfulCalls, failedCalls } = ended.statistics;
  const attempts = contacts.flatMap((each) => each.attempts);
  const withStatus = (status: string) => contacts.filter((each) => each.status === status).length;
  const cost = calls.reduce((sum, each) => sum + (each.cost ?? 0), 0);
  return [
    {
      what: "rows of the file = accepted and refused",
      left: list.rows,
      right: totalContacts + created.rejectedContacts.count,
    },
    { what: "people = talked to and not", left: totalContacts, right: successfulCalls + failedCalls },
    {
      what: "talked to, by statistics and by contacts",
      left: successfulCalls,
      right: withStatus("succeeded"),
    },
    { what: "not reached, by statistics and by contacts", left: failedCalls, right: withStatus("failed") },
    { what: "calls, by contacts and by the call list", left: attempts.length, right: calls.length },
    {
      what: "calls that ended, by the call list and by call.ended",
      left: calls.filter((each) => each.endReason !== null).length,
      right: receiver.endedCalls.size,
    },
    {
      what: "calls that were answered, by the call list and by call.started",
      left: calls.filter((each) => each.connectedAt !== null).length,
      right: receiver.startedCalls.size,
    },
    {
      what: "last attempts, by contacts and by call.ended",
      left: totalContacts,
      right: [...receiver.endedCalls.values()].filter((each) => each.isFinalAttempt).length,
    },
    {
      what: "credits spent, by the account and by the calls",
      left: spent.toFixed(4),
      right: cost.toFixed(4),
    },
    { what: "credits still reserved", left: reserved, right: 0 },
    { what: "webhooks with a bad signature", left: receiver.refused(), right: 0 },
  ];
}
