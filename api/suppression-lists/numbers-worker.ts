import { parentPort, workerData } from "node:worker_threads";
import { UnreadableFile } from "../campaigns/unreadable-file.ts";
import { type NumbersOptions, numbersReader } from "./numbers-reader.ts";
import type { FromNumbersWorker } from "./numbers-thread.ts";

/** Reads one file: its parts come as bytes, its end as null. */
const reader = numbersReader(workerData as NumbersOptions);

parentPort?.on("message", (bytes: Uint8Array | null) => {
  const answer = answerTo(bytes);
  parentPort?.postMessage(answer, answer.kind === "read" ? [answer.file.numbers.buffer] : []);
});

function answerTo(bytes: Uint8Array | null): FromNumbersWorker {
  try {
    if (bytes === null) return { kind: "read", file: reader.end() };
    reader.push(bytes);
    return { kind: "taken" };
  } catch (error) {
    if (error instanceof UnreadableFile) return { kind: "refused", message: error.message };
    throw error;
  }
}
