import { parentPort } from "node:worker_threads";
import { longLists } from "./body-schemas.ts";
import type { CheckedBody } from "./check-json.ts";
import { checkList } from "./check-list.ts";
import { type FromWorker, sliceable, type ToWorker } from "./check-protocol.ts";
import { type CheckTask, runCheck } from "./check-task.ts";

/** Bytes of JSON in one slice, about: some milliseconds of the main thread. */
const SLICE_BYTES = 128 * 1024;

parentPort?.on("message", (message: ToWorker) => {
  tell(answerTo(message));
});

function tell(message: FromWorker): void {
  parentPort?.postMessage(message);
}

function answerTo({ task, bytes }: ToWorker): FromWorker {
  try {
    return { kind: "checked", checked: check(task, bytes) };
  } catch (error) {
    return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}

/** The long list goes ahead in slices; what is answered has an empty one in its place. */
function check(task: CheckTask, bytes: Uint8Array): CheckedBody {
  const slices = createSlices((json) => tell({ kind: "slice", json }));
  const list = task.kind === "json" ? longLists[task.schema] : undefined;
  const checked =
    (list === undefined ? null : checkList(bytes, list, slices.take)) ??
    withoutList(runCheck(task, bytes), slices.take);
  slices.end();
  return checked;
}

function withoutList(checked: CheckedBody, take: (item: unknown) => void): CheckedBody {
  const split = checked.ok ? sliceable(checked.value) : null;
  if (split === null) return checked;
  split.items.forEach(take);
  return { ok: true, value: split.rest };
}

/** Gathers items as JSON text of about `SLICE_BYTES`. */
function createSlices(full: (json: string) => void) {
  let texts: string[] = [];
  let length = 0;
  const end = () => {
    if (texts.length > 0) full(`[${texts.join(",")}]`);
    texts = [];
    length = 0;
  };
  const take = (item: unknown) => {
    const text = JSON.stringify(item);
    texts.push(text);
    length += text.length;
    if (length >= SLICE_BYTES) end();
  };
  return { take, end };
}
