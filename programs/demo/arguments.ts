import { type Command, type Given, UsageError } from "../command-line.ts";

export const DEMO = {
  usage: "npm run demo [-- --contacts N] [--csv file] [--carrier twilio] [--keep]",
  about:
    "Does the main job on a sample, through the public API alone: a CSV file becomes a campaign, the simulated carrier is called, signed webhooks are verified, answers are proven by what was said, and every number is held against the others. The service and its database are this run's own and go with it; with --keep they stay until Ctrl-C, with the dashboard on what was made.",
  options: {
    contacts: {
      type: "string",
      default: "300",
      value: "N",
      about: "rows of the list, 1 to 10000 (default 300)",
    },
    csv: {
      type: "string",
      value: "file",
      about: "a list of your own, with a column phone (default: programs/demo/contacts-10k.csv)",
    },
    carrier: {
      type: "string",
      default: "simulated",
      value: "carrier",
      about:
        "simulated, or twilio: the official SDK calls a Twilio that dials nobody, which is started beside the service (default simulated)",
    },
    keep: {
      type: "boolean",
      about: "stays with the dashboard on what was made, until Ctrl-C; then the data is removed",
    },
  },
  environment: ["LOG_LEVEL", ["EVENTSTORE_URL", "esdb://…: its events go there, into streams of its own"]],
  exitCodes: { 0: "every number agrees", 1: "some do not agree, or it could not run" },
} as const satisfies Command;

export type DemoCarrier = "simulated" | "twilio";
export type DemoArguments = {
  readonly contacts: number;
  readonly csv: string | null;
  readonly carrier: DemoCarrier;
  readonly keep: boolean;
};

/** A mistake ends the demo with one line that names it. */
export function demoArguments({ values }: Given<typeof DEMO>): DemoArguments {
  const contacts = Number(values.contacts);
  if (!Number.isInteger(contacts) || contacts < 1 || contacts > 10_000) {
    throw new UsageError(`--contacts takes a whole number from 1 to 10000, not "${values.contacts}"`, DEMO);
  }
  const { carrier } = values;
  if (carrier !== "simulated" && carrier !== "twilio")
    throw new UsageError(`--carrier takes simulated or twilio, not "${carrier}"`, DEMO);
  return { contacts, csv: values.csv ?? null, carrier, keep: values.keep === true };
}
