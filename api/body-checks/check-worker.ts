import { parentPort } from "node:worker_threads";
import type { CheckedBody } from "../body/check-json.ts";
import { checkList } from "../body/check-list.ts";
import { type CheckTask, type FromWorker, sliceable, type ToWorker } from "../body/check-protocol.ts";
import { longLists, longListsOf } from "./body-schemas.ts";
import { runCheck } from "./check-task.ts";

/** Approximate bytes of JSON in one slice: some milliseconds of the main thread. */
const SLICE_BYTES = 128 * 1024;
const [LIST_START, COMMA, LIST_END] = [0x5b, 0x2c, 0x5d];

parentPort?.on("message", (message: ToWorker) => {
  tell(answerTo(message));
});

function tell(message: FromWorker): void {
  parentPort?.postMessage(message, message.kind === "slice" ? [message.json.buffer] : []);
}

function answerTo({ task, bytes }: ToWorker): FromWorker {
  try {
    return { kind: "checked", checked: check(task, bytes) };
  } catch (error) {
    return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}

/** Long lists are sent ahead in slices; the result has empty ones instead. */
function check(task: CheckTask, bytes: Uint8Array): CheckedBody {
  const list = task.kind === "json" ? longLists[task.schema] : undefined;
  if (list !== undefined) {
    const slices = slicesOf(list.name);
    const checked = checkList(bytes, list, slices.take);
    slices.end();
    if (checked !== null) return checked;
  }
  return longListsOf(task).reduce(withoutList, runCheck(task, bytes));
}

function withoutList(checked: CheckedBody, name: string): CheckedBody {
  const split = checked.ok ? sliceable(checked.value, name) : null;
  if (split === null) return checked;
  const slices = slicesOf(name);
  split.items.forEach(slices.take);
  slices.end();
  return { ok: true, value: split.rest };
}

function slicesOf(list: string) {
  return createSlices((json) => tell({ kind: "slice", list, json }));
}

/**
 * Collects items as a JSON list of about `SLICE_BYTES`, written into the buffer that is sent, so that no
 * string of that length is made.
 */
function createSlices(full: (json: Uint8Array<ArrayBuffer>) => void) {
  const encoder = new TextEncoder();
  let bytes = new Uint8Array(SLICE_BYTES);
  let length = 0;
  const end = () => {
    if (length === 0) return;
    bytes[length] = LIST_END;
    full(bytes.slice(0, length + 1));
    length = 0;
  };
  const take = (item: unknown) => {
    const text = JSON.stringify(item);
    // No UTF-16 code unit takes more than three bytes; one more byte before the item and one after the last.
    const room = 3 * text.length + 2;
    if (length + room > bytes.length) end();
    if (room > bytes.length) bytes = new Uint8Array(room);
    bytes[length] = length === 0 ? LIST_START : COMMA;
    length += 1;
    length += encoder.encodeInto(text, bytes.subarray(length)).written;
  };
  return { take, end };
}
