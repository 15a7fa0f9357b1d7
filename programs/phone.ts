import { randomUUID } from "node:crypto";
import process from "node:process";
import { createInterface } from "node:readline";
import { PHONE_LINE } from "../domain/call/carrier-identity.ts";
import { REAL_MODEL, SCRIPTED_MODEL } from "../domain/conversation/script.ts";
import { type Command, readCommandLine, UsageError } from "./command-line.ts";
import { connectPhone, defaultModel } from "./phone/phone-connection.ts";
import { terminalPhone } from "./phone/terminal-phone.ts";
import { runProgram } from "./process-exit.ts";

const PHONE = {
  usage: "npm run phone -- --key va_live_… [--url http://127.0.0.1:3000] [--answer]",
  about: `A telephone on this terminal: calls to ${PHONE_LINE} of the key's owner ring here. Answer with Enter, type what you say, interrupt by typing while the assistant speaks. After a break of the connection a call goes on.`,
  options: {
    key: { type: "string", value: "va_live_…", about: "an API key with the scope calls:write" },
    url: {
      type: "string",
      value: "http://…",
      default: "http://127.0.0.1:3000",
      about: "where the service listens (default: http://127.0.0.1:3000)",
    },
    answer: { type: "boolean", about: "answers whatever rings" },
  },
  environment: [],
  exitCodes: { 0: "the input ended", 1: "the service refuses the key; the line says why" },
} as const satisfies Command;

/** Reading speed: 15 characters a second. */
const SHOW_EVERY_MILLIS = 200;
const SHOW_CHARACTERS = 3;

async function main(stop: AbortSignal): Promise<number> {
  const given = await readCommandLine(PHONE);
  if (given === null) return 0;
  const { key, url, answer } = given.values;
  if (key === undefined) throw new UsageError("--key is needed", PHONE);
  if (!URL.canParse(url)) throw new UsageError(`--url is no address: "${url}"`, PHONE);
  const write = (text: string) => void process.stdout.write(text);
  const inputEnded = new AbortController();
  const until = AbortSignal.any([stop, inputEnded.signal]);
  const connection = connectPhone({
    url,
    key,
    phoneId: randomUUID(),
    onFrame: (frame) => phone.receive(frame),
    onChange: (connected) => {
      write(
        connected ? `The phone is open: call ${PHONE_LINE}.\n` : "The connection is lost; trying again.\n",
      );
      if (connected) void tellModel({ url, key, stop: until }, write);
    },
    stop: until,
  });
  const phone = terminalPhone({ write, send: connection.send, answersAtOnce: answer === true });
  const showing = setInterval(() => phone.show(SHOW_CHARACTERS), SHOW_EVERY_MILLIS);
  const input = createInterface({ input: process.stdin });
  input.on("line", phone.typed);
  input.once("close", () => inputEnded.abort());
  try {
    await connection.over;
  } finally {
    clearInterval(showing);
    input.close();
  }
  stop.throwIfAborted();
  return 0;
}

/** Who speaks, but for assistants with a connection of their own. */
async function tellModel(asked: Parameters<typeof defaultModel>[0], write: (text: string) => void) {
  const model = await defaultModel(asked);
  if (model === SCRIPTED_MODEL) write(SCRIPTED);
  else if (model !== null) write(`The model ${model} speaks.\n`);
}

const SCRIPTED = `The scripted model speaks, which follows simple rules. A real one: ${REAL_MODEL}\n`;

runProgram(main);
