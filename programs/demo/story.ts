import type { ContactRecord } from "../../contract/contact.ts";
import { type Answer, answerIn, spokenIntents } from "../../domain/conversation/intents/spoken-intents.ts";
import type { CallEnded } from "./receiver.ts";

const RESULTS = ["yes", "another_time", "no", "none"] as const satisfies readonly (Answer | "none")[];
type Result = (typeof RESULTS)[number];

const TALKED: Readonly<Record<Result, string>> = {
  yes: "confirmed their appointment",
  another_time: "want another time",
  no: "said no",
  none: "talked, and gave no answer",
};

/** Why somebody was not reached, for a person. */
const MISSED: Readonly<Record<string, string>> = {
  no_answer: "did not pick up",
  busy: "had a busy line",
  declined: "declined the call",
  voicemail: "had a machine answer",
  invalid_number: "have a number that does not exist",
  unreachable: "could not be reached by the network",
  connection_lost: "were cut off",
  carrier_error: "were missed by a fault of the carrier",
};

const NAMES_SHOWN = 3;

/** What the company knows by its own webhooks: who comes, who does not, who was not reached and why. */
export function storyLines(
  contacts: readonly ContactRecord[],
  endedCalls: ReadonlyMap<string, CallEnded>,
  total: number,
): string[] {
  const talked = contacts.filter(({ status }) => status === "succeeded");
  const missed = contacts.filter(({ status }) => status !== "succeeded");
  const answers = Map.groupBy(talked, (contact) => answerOf(contact, endedCalls));
  const reasons = Map.groupBy(missed, ({ attempts }) => attempts.at(-1)?.endReason ?? "not called");
  const byCount = [...reasons].toSorted(([, one], [, other]) => other.length - one.length);
  return [
    "",
    `Reminders of an appointment at the dentist: ${total} people, ${talked.length} of them talked to.`,
    ...RESULTS.flatMap((result) => line(answers.get(result), TALKED[result])),
    ...(missed.length === 0 ? [] : [`  ${String(missed.length).padStart(5)} were not reached:`]),
    ...byCount.flatMap(([reason, people]) =>
      line(people, MISSED[reason] ?? reason.replaceAll("_", " "), "    "),
    ),
    "",
  ];
}

function line(people: readonly ContactRecord[] | undefined, what: string, indent = "  "): string[] {
  if (people === undefined) return [];
  const names = people.flatMap(({ name }) => (name === null ? [] : [name]));
  const some = names.slice(0, NAMES_SHOWN).join(", ");
  const more = people.length > NAMES_SHOWN ? ", …" : "";
  return [`${indent}${String(people.length).padStart(5)} ${what}${some === "" ? "" : `: ${some}${more}`}`];
}

/** The first yes, no or other time of the customer in the call that reached them. */
function answerOf({ attempts }: ContactRecord, endedCalls: ReadonlyMap<string, CallEnded>): Result {
  const { messages = [] } = endedCalls.get(attempts.at(-1)?.callId ?? "") ?? {};
  for (const { role, content } of messages) {
    const answer = role === "customer" && content !== null ? answerIn(spokenIntents(content)) : null;
    if (answer !== null) return answer;
  }
  return "none";
}
