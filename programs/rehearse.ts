import { constants, createReadStream } from "node:fs";
import { access, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import process from "node:process";
import { type Command, readCommandLine, UsageError } from "./command-line.ts";
import { orStopped, runProgram } from "./process-exit.ts";
import { junitOf } from "./rehearse/junit.ts";
import { playedRehearsal } from "./rehearse/play.ts";
import { exitCodeOf, reportOf } from "./rehearse/report.ts";

const REHEARSE = {
  usage: "npm run rehearse -- --file cases.json [--url http://…] [--key va_live_…] [--junit report.xml]",
  about:
    "Plays cases against an assistant with the engine that calls use, and says which passed. Nobody is called and no tool is asked. The file is the body of POST /api/v1/rehearsals (docs/rehearsal.md). Ctrl-C cancels the rehearsal.",
  options: {
    file: { type: "string", value: "cases.json", about: "the cases; -: from standard input" },
    url: {
      type: "string",
      value: "http://…",
      default: "http://127.0.0.1:3000",
      about: "where the service listens (default: http://127.0.0.1:3000)",
    },
    key: {
      type: "string",
      value: "va_live_…",
      about: "an API key with the scope assistants:*, and calls:read for cases from past calls",
    },
    junit: { type: "string", value: "report.xml", about: "also writes what came of it there, as JUnit" },
  },
  environment: [["RINGFOLD_API_KEY", "the key, where --key is left out"]],
  exitCodes: {
    0: "every case passed",
    1: "a case failed",
    2: "nobody knows: it could not be played, was cut short, or only errors kept a case from passing",
  },
} as const satisfies Command;

/** The service takes no more. */
const MOST_BYTES = 1024 * 1024;

async function main(stop: AbortSignal): Promise<number> {
  const given = await readCommandLine(REHEARSE);
  if (given === null) return 0;
  const { file, url: baseUrl, junit } = given.values;
  const apiKey = given.values.key ?? process.env["RINGFOLD_API_KEY"] ?? "";
  if (file === undefined) throw new UsageError("--file is needed", REHEARSE);
  if (!/^https?:\/\/./.test(baseUrl) || !URL.canParse(baseUrl))
    throw new UsageError(`--url is no address: "${baseUrl}"`, REHEARSE);
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new UsageError("An API key is needed, by --key or RINGFOLD_API_KEY", REHEARSE);
  try {
    // Before tokens are spent.
    if (junit !== undefined) await access(dirname(junit), constants.W_OK);
    const body = jsonIn(file, await orStopped(stop, textIn(file)));
    const played = await playedRehearsal({ baseUrl, apiKey }, body, stop);
    if (junit !== undefined) await writeFile(junit, junitOf(played));
    for (const line of reportOf(played)) process.stdout.write(`${line}\n`);
    return exitCodeOf(played.rehearsal);
  } catch (error) {
    if (stop.aborted) throw error;
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
}

/** UTF-8, with or without a byte order mark. Rejects beyond what the service takes. */
async function textIn(file: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const input = file === "-" ? process.stdin : createReadStream(file);
  for await (const chunk of input) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error(`${file} is longer than the 1 MiB that a rehearsal may have`);
  }
  return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
}

function jsonIn(file: string, text: string) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

runProgram(main);
