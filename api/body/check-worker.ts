import { parentPort } from "node:worker_threads";
import type { FromWorker, ToWorker } from "./check-protocol.ts";
import { sliceable } from "./check-protocol.ts";
import { runCheck } from "./check-task.ts";

/** Bytes of JSON in one slice, about: some milliseconds of the main thread. */
const SLICE_BYTES = 128 * 1024;

let slices: Iterator<string> | null = null;

parentPort?.on("message", (message: ToWorker) => {
  parentPort?.postMessage(answerTo(message));
});

function answerTo(message: ToWorker): FromWorker {
  try {
    return message.kind === "check" ? check(message) : nextSlice();
  } catch (error) {
    return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}

function check({ task, bytes }: Extract<ToWorker, { kind: "check" }>): FromWorker {
  const checked = runCheck(task, bytes);
  if (!checked.ok) return { kind: "refused", checked };
  const split = sliceable(checked.value);
  slices = split === null ? null : slicesOf(split.items);
  return { kind: "checked", value: split?.rest ?? checked.value, more: split !== null };
}

function nextSlice(): FromWorker {
  const next = slices?.next();
  if (next === undefined || next.done === true) {
    slices = null;
    return { kind: "slice", json: "[]", more: false };
  }
  return { kind: "slice", json: next.value, more: true };
}

/** Lets go of what it has told. */
function* slicesOf(items: unknown[]): Generator<string, undefined> {
  let slice: string[] = [];
  let length = 0;
  for (const [index, item] of items.entries()) {
    const text = JSON.stringify(item);
    items[index] = null;
    slice.push(text);
    length += text.length;
    if (length >= SLICE_BYTES) {
      yield `[${slice.join(",")}]`;
      slice = [];
      length = 0;
    }
  }
  if (slice.length > 0) yield `[${slice.join(",")}]`;
}
