import { paginate } from "../../client/pages.ts";
import type { CallRecord } from "../../contract/call.ts";
import type { ContactRecord } from "../../contract/contact.ts";
import { ASKED_FOR, type Clinic } from "./clinic.ts";

/** A number that must be the same from two sources. */
export type Agreement = {
  readonly what: string;
  readonly left: number | string;
  readonly right: number | string;
};

export function agrees({ left, right }: Agreement): boolean {
  return left === right;
}

/** Of the clinic: what its calls brought home with a proof, who is never called again, and who later. */
export function clinicLines({ reminders, invitations, promised, suppressions }: Clinic): string[] {
  const { statistics } = reminders;
  const { analysed = 0, succeeded = 0 } = statistics.outcomes ?? {};
  return [
    "",
    `What calls bring home: the Riverside Clinic, another customer of this service, called ${statistics.totalContacts} people. ${analysed} of their calls were read for two answers afterwards, and ${succeeded} are a success.`,
    ...valuesByField(reminders).map(
      ({ name, description, values }) => `  ${name} (${description}): ${valuesLine(values, analysed)}`,
    ),
    ...proofLines(reminders),
    ...suppressions.flatMap(({ callId }) => optOutLines(callId, reminders, invitations)),
    ...promised.contacts.flatMap((contact) => callbackLines(contact, promised.calls)),
    "",
  ];
}

type Values = readonly { readonly value: string; readonly count: number }[];

/** In the order in which the assistant asks for them. */
function valuesByField({ statistics }: Clinic["reminders"]) {
  return ASKED_FOR.fields.map(({ name, description, values = ["true", "false"] }) => {
    const counts = statistics.outcomes?.byField[name] ?? {};
    const found: Values = values.flatMap((value) => {
      const count = counts[value];
      return count === undefined ? [] : [{ value, count }];
    });
    return { name, description: description.toLowerCase(), values: found };
  });
}

function valuesLine(values: Values, analysed: number): string {
  const unsaid = analysed - sumOf(values);
  const said = values.map(({ value, count }) => `${count} ${WORDS[value] ?? value}`);
  return [...said, ...(unsaid > 0 ? [`${unsaid} did not say`] : [])].join(", ");
}

const sumOf = (values: Values) => values.reduce((sum, { count }) => sum + count, 0);

const WORDS: Readonly<Record<string, string>> = { true: "yes", false: "no" };

type Proof = {
  readonly call: CallRecord;
  readonly field: string;
  readonly said: string;
  readonly index: number;
};

/** Each value of a call that names a message of the customer which proves it. */
function proofsIn(calls: readonly CallRecord[]): Proof[] {
  return calls.flatMap((call) =>
    Object.entries(call.outcome.evidence).flatMap(([field, [index = -1]]) => {
      const message = call.messages[index];
      return message?.role === "customer" && message.content !== null
        ? [{ call, field, said: message.content, index }]
        : [];
    }),
  );
}

/** Of the first person of the list whose call was a success. */
function proofLines({ calls, contacts }: Clinic["reminders"]): string[] {
  const proofs = proofsIn(calls.filter(({ outcome }) => outcome.success === true));
  const ofContacts = contacts.flatMap(({ id, name }) => {
    const proof = proofs.find(
      ({ call, field }) => call.contactId === id && field === ASKED_FOR.success.field,
    );
    return proof === undefined ? [] : [{ ...proof, name }];
  });
  return ofContacts
    .slice(0, 1)
    .map(
      ({ name, field, said, index }) =>
        `  Why ${field} is yes for ${name}: message ${index} of the call, “${said}”`,
    );
}

function optOutLines(
  callId: string | null,
  { calls, contacts }: Clinic["reminders"],
  invitations: Clinic["invitations"],
): string[] {
  const call = calls.find((each) => each.callId === callId);
  if (call === undefined) return [];
  const nameOf = (to: string) => contacts.find(({ phoneNumber }) => phoneNumber === to)?.name ?? to;
  const said = call.messages[call.optedOut?.messageIndex ?? -1]?.content ?? "";
  const next = invitations.calls.map(({ to }) => nameOf(to)).join(", ");
  return [
    `${nameOf(call.to)} said “${said}” and is on the do-not-call list since. The clinic's next campaign had ${invitations.contacts.length} people: ${next} was called, ${nameOf(call.to)} was not.`,
  ];
}

/** The demo does not wait for it. */
function callbackLines({ name, attempts }: ContactRecord, calls: Clinic["promised"]["calls"]): string[] {
  const call = calls.find(({ callId }) => callId === attempts[0]?.callId);
  const { at, callbackAt = null, zone = null } = call?.callback ?? {};
  if (call === undefined || at === undefined || callbackAt === null) return [];
  const asked = call.messages.find(({ role }) => role === "customer")?.content ?? "";
  return [
    `${name} said “${asked}” and was promised a call at ${at?.replace("T", " ")} (${zone}): it comes before all others, and this demo does not wait for it.`,
  ];
}

type Query = NonNullable<Parameters<Clinic["client"]["calls"]["listCalls"]>[0]>;

async function callsFound(client: Clinic["client"], query: Query): Promise<number> {
  const calls = await Array.fromAsync(paginate((page) => client.calls.listCalls({ ...page, ...query })));
  return calls.length;
}

/** Every number of these lines, from two sources. */
export async function clinicAgreements({
  client,
  reminders,
  invitations,
  promised,
  suppressions,
}: Clinic): Promise<Agreement[]> {
  const { campaign, statistics, contacts, calls } = reminders;
  const found = (query: Query) => callsFound(client, { campaignId: campaign.id, ...query });
  const { analysed, succeeded } = statistics.outcomes ?? {};
  const values = valuesByField(reminders).flatMap(({ name, values: ofField }) =>
    ofField.map((each) => ({ name, ...each })),
  );
  const byValue = await Promise.all(
    values.map(async ({ name, value, count }) => ({
      what: `clinic: ${name} is ${WORDS[value] ?? value}, by statistics and by search`,
      left: count,
      right: await found({ [`outcome.${name}`]: value }),
    })),
  );
  const optedOut = new Set(suppressions.filter(({ listed }) => listed).map(({ phoneNumber }) => phoneNumber));
  return [
    {
      what: "clinic: people, by statistics and by contacts",
      left: statistics.totalContacts,
      right: contacts.length,
    },
    {
      what: "clinic: calls that were read, by statistics and by calls",
      left: analysed ?? 0,
      right: calls.filter(({ outcome }) => outcome.status === "ready").length,
    },
    {
      what: "clinic: a success, by statistics and by search",
      left: succeeded ?? 0,
      right: await found({ success: "true" }),
    },
    ...byValue,
    {
      what: "clinic: values, and those that a customer's words prove",
      left: sumOf(values),
      right: proofsIn(calls).length,
    },
    {
      what: "clinic: never again, by statistics and by the do-not-call list",
      left: statistics.optedOut,
      right: optedOut.size,
    },
    {
      what: "clinic: people of the next campaign = called and on the list",
      left: invitations.statistics.totalContacts,
      right: invitations.calls.length + optedOut.size,
    },
    {
      what: "clinic: promised calls, by statistics and by contacts",
      left: promised.statistics.callbacks ?? 0,
      right: promised.contacts.filter(({ nextAttemptCause }) => nextAttemptCause === "callback").length,
    },
    ...promised.contacts.map(({ callbackAt, attempts }) => ({
      what: "clinic: when it was promised, by contact and by call",
      left: callbackAt ?? "never",
      right:
        promised.calls.find(({ callId }) => callId === attempts[0]?.callId)?.callback?.callbackAt ?? "never",
    })),
    {
      what: "clinic: calls of the next campaign to a number on the list",
      left: invitations.calls.filter(({ to }) => optedOut.has(to)).length,
      right: 0,
    },
  ];
}
