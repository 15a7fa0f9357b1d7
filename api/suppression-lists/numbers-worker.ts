import { parentPort, workerData } from "node:worker_threads";
import { answeringReader, type NumbersOptions } from "./numbers-reader.ts";

/** Reads one file: its parts come as bytes, its end as null. Of a part that was taken it answers null. */
const reader = answeringReader(workerData as NumbersOptions);

parentPort?.on("message", (bytes: Uint8Array | null) => {
  const answer = bytes === null ? reader.end() : reader.push(bytes);
  parentPort?.postMessage(answer, answer?.kind === "read" ? [answer.file.numbers.buffer] : []);
});
