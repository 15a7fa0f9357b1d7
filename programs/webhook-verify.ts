import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { explainSignature } from "../infrastructure/webhook/explain-signature.ts";
import { parseRawRequest } from "../infrastructure/webhook/raw-request.ts";
import { runProgram } from "./ways-out.ts";

const USAGE = `npm run webhook:verify -- --secret whsec_… --file request.txt [--now <ISO time or milliseconds>]

The file holds one webhook request as it arrived: header lines, an empty line, and the body byte for byte.
Exit code 0: a receiver accepts it. 1: it is refused, and the line says why. 2: the question was not understood.`;

/** Answers the exit code; prints one line. */
function main(args: string[]): number {
  const { values } = parseArgs({
    args,
    options: { secret: { type: "string" }, file: { type: "string" }, now: { type: "string" } },
  });
  if (values.secret === undefined || values.file === undefined)
    throw new Error("--secret and --file are needed");
  const explanation = explainSignature(
    values.secret,
    parseRawRequest(readFileSync(values.file)),
    nowOf(values.now),
  );
  console.log(explanation.message);
  return explanation.verdict === "valid" ? 0 : 1;
}

function nowOf(text: string | undefined): number {
  if (text === undefined) return Date.now();
  const millis = /^\d+$/.test(text) ? Number(text) : Date.parse(text);
  if (Number.isNaN(millis)) throw new Error(`--now is not a time: "${text}"`);
  return millis;
}

runProgram(async () => {
  try {
    return main(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    return 2;
  }
});
