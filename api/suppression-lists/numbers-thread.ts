import { Worker } from "node:worker_threads";
import type { NumbersFile } from "../../application/suppression/replace-numbers.ts";
import { validationError } from "../errors.ts";
import { answeringReader, type NumbersOptions, type ReadAnswer } from "./numbers-reader.ts";

const PART_BYTES = 256 * 1024;
/** Parts that wait in a thread: the client sends no faster than it reads. */
const MOST_WAITING = 4;
const THREAD_HEAP_MB = 128;

/** A thread would take longer to begin than such a file takes to be read, which is some milliseconds. */
const IN_PROCESS_BYTES = 4 * 1024;

/**
 * Reads a file in a thread of its own, while it arrives: the event loop only passes it on. Throws the refusal
 * of a file that cannot be read, as soon as that is known.
 */
export async function readNumbersFile(
  bytes: AsyncIterable<Uint8Array>,
  options: NumbersOptions,
): Promise<NumbersFile> {
  const parts = inParts(bytes);
  const { value: first = new Uint8Array(0) } = await parts.next();
  const isQuick = first.length <= IN_PROCESS_BYTES && options.defaultCountry === null;
  const answer = isQuick ? readHere(first, options) : await readInThread(first, parts, options);
  if (answer.kind === "read") return answer.file;
  throw validationError("The file", [{ path: ["file"], message: answer.message }]);
}

/** The whole file. */
function readHere(bytes: Uint8Array, options: NumbersOptions): ReadAnswer {
  const reader = answeringReader(options);
  return reader.push(bytes) ?? reader.end();
}

async function readInThread(
  first: Uint8Array<ArrayBuffer>,
  rest: AsyncIterable<Uint8Array<ArrayBuffer>>,
  options: NumbersOptions,
): Promise<ReadAnswer> {
  const worker = new Worker(new URL("./numbers-worker.ts", import.meta.url), {
    workerData: options,
    resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB },
  });
  const line = lineTo(worker);
  try {
    await line.send(first);
    for await (const part of rest) if (!(await line.send(part))) break;
    await line.send(null);
    return await line.answer;
  } finally {
    await worker.terminate();
  }
}

function lineTo(worker: Worker) {
  const { promise: answer, resolve, reject } = Promise.withResolvers<ReadAnswer>();
  let isOver = false;
  let waiting = 0;
  let goOn: () => void = () => undefined;
  const over = (end: () => void) => {
    isOver = true;
    end();
    goOn();
  };
  worker.on("message", (message: ReadAnswer | null) => {
    waiting -= 1;
    if (message === null) goOn();
    else over(() => resolve(message));
  });
  const failed = (error: unknown) => over(() => reject(error));
  worker.on("error", failed);
  worker.on("exit", () => failed(new Error("A thread that read a list of numbers has ended")));
  // Nobody may be waiting for it when the client goes away.
  answer.catch(() => undefined);
  return {
    answer,
    /** Once there is room for it. False: the thread has answered already. */
    send: async (part: Uint8Array<ArrayBuffer> | null): Promise<boolean> => {
      while (!isOver && waiting >= MOST_WAITING)
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
      if (isOver) return false;
      waiting += 1;
      worker.postMessage(part, part === null ? [] : [part.buffer]);
      return true;
    },
  };
}

/** Copies of the bytes, which can be given to a thread, in larger parts. */
async function* inParts(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let filled = 0;
  let copy = new Uint8Array(PART_BYTES);
  for await (const part of parts) {
    for (let from = 0; from < part.length; ) {
      const piece = part.subarray(from, from + PART_BYTES - filled);
      copy.set(piece, filled);
      filled += piece.length;
      from += piece.length;
      if (filled < PART_BYTES) continue;
      yield copy;
      copy = new Uint8Array(PART_BYTES);
      filled = 0;
    }
  }
  if (filled > 0) yield copy.slice(0, filled);
}
