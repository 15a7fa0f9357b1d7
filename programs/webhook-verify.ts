import { readFileSync } from "node:fs";
import { explainSignature } from "../infrastructure/webhook/explain-signature.ts";
import { parseRawRequest, type RawRequest } from "../infrastructure/webhook/raw-request.ts";
import { type Command, readCommandLine, UsageError } from "./command-line.ts";
import { runProgram } from "./process-exit.ts";

const VERIFY = {
  usage: "npm run webhook:verify -- --secret whsec_… --file request.txt [--now time]",
  about:
    "Says whether a receiver accepts a webhook request, and why not. The file holds the request as it arrived: header lines, an empty line, and the body byte for byte.",
  options: {
    secret: { type: "string", value: "whsec_…", about: "the endpoint's secret, as it is shown" },
    file: { type: "string", value: "file", about: "the request" },
    now: {
      type: "string",
      value: "time",
      about: "the receiver's clock, ISO or milliseconds (default: this machine's)",
    },
  },
  environment: [],
  exitCodes: { 0: "a receiver accepts it", 1: "it is refused, and the line says why" },
} as const satisfies Command;

/** Returns the exit code; prints one line. */
async function main(): Promise<number> {
  const given = await readCommandLine(VERIFY);
  if (given === null) return 0;
  const { values } = given;
  if (values.secret === undefined || values.file === undefined)
    throw new UsageError("--secret and --file are needed", VERIFY);
  const explanation = explainSignature(values.secret, readRequest(values.file), nowOf(values.now));
  console.log(explanation.message);
  return explanation.verdict === "valid" ? 0 : 1;
}

function nowOf(text: string | undefined): number {
  if (text === undefined) return Date.now();
  const millis = /^\d+$/.test(text) ? Number(text) : Date.parse(text);
  if (Number.isNaN(millis)) throw new UsageError(`--now is not a time: "${text}"`, VERIFY);
  return millis;
}

function readRequest(file: string): RawRequest {
  try {
    return parseRawRequest(readFileSync(file));
  } catch (error) {
    throw new UsageError(
      `--file holds no request that can be read: ${error instanceof Error ? error.message : String(error)}`,
      VERIFY,
    );
  }
}

runProgram(main);
