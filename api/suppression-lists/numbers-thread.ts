import { Worker } from "node:worker_threads";
import type { NumbersFile } from "../../application/suppression/replace-numbers.ts";
import { validationError } from "../errors.ts";
import type { NumbersOptions } from "./numbers-reader.ts";

export type FromNumbersWorker =
  | { readonly kind: "taken" }
  | { readonly kind: "read"; readonly file: NumbersFile }
  | { readonly kind: "refused"; readonly message: string };

const PART_BYTES = 256 * 1024;
/** Parts that wait in a thread: the client sends no faster than it reads. */
const MOST_WAITING = 4;
const THREAD_HEAP_MB = 128;

/**
 * Reads a file in a thread of its own, while it arrives: the event loop only passes it on. Throws the refusal
 * of a file that cannot be read, as soon as that is known.
 */
export async function readNumbersFile(
  parts: AsyncIterable<Uint8Array>,
  options: NumbersOptions,
): Promise<NumbersFile> {
  const worker = new Worker(new URL("./numbers-worker.ts", import.meta.url), {
    workerData: options,
    resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB },
  });
  const line = lineTo(worker);
  try {
    for await (const part of inParts(parts)) if (!(await line.send(part))) break;
    await line.send(null);
    const answer = await line.answer;
    if (answer.kind === "read") return answer.file;
    throw validationError("The file", [{ path: ["file"], message: answer.message }]);
  } finally {
    await worker.terminate();
  }
}

function lineTo(worker: Worker) {
  const { promise: answer, resolve, reject } = Promise.withResolvers<Answer>();
  let isOver = false;
  let waiting = 0;
  let goOn: () => void = () => undefined;
  const over = (end: () => void) => {
    isOver = true;
    end();
    goOn();
  };
  worker.on("message", (message: FromNumbersWorker) => {
    waiting -= 1;
    if (message.kind === "taken") goOn();
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

type Answer = Exclude<FromNumbersWorker, { readonly kind: "taken" }>;

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
