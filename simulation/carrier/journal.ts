import { createReadStream, existsSync } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { createInterface } from "node:readline";

/**
 * An append-only file of JSON lines. An append resolves when it is on the disk; appends that wait at the same
 * time share one flush.
 */
export interface Journal {
  append(line: object): Promise<void>;
  close(): Promise<void>;
}

export async function openJournal(path: string): Promise<Journal> {
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, "a+", 0o600);
  // An earlier release created it readable for everybody, and it has numbers and greetings.
  await file.chmod(0o600);
  await endLastLine(file);
  let waiting: { text: string; done: () => void; failed: (error: unknown) => void }[] = [];
  let writing: Promise<void> | null = null;

  const writeAll = async () => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await file.appendFile(batch.map(({ text }) => text).join(""));
        await file.datasync();
        for (const { done } of batch) done();
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
    writing = null;
  };

  return {
    append: (line) =>
      new Promise((done, failed) => {
        waiting.push({ text: `${JSON.stringify(line)}\n`, done, failed });
        writing ??= Promise.resolve().then(writeAll);
      }),
    close: async () => {
      while (writing !== null) await writing;
      await file.close();
    },
  };
}

/** A kill during a write leaves half a line: the next one must begin on a new line. */
async function endLastLine(file: FileHandle): Promise<void> {
  const { size } = await file.stat();
  if (size === 0) return;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  if (buffer.toString() !== "\n") await file.appendFile("\n");
}

/**
 * The lines of a journal in order. Half lines left by a kill are skipped (no request was answered for them).
 */
export async function* journalLines(path: string): AsyncGenerator<unknown> {
  if (!existsSync(path)) return;
  for await (const text of createInterface({
    input: createReadStream(path),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    const line = parsedOrNull(text);
    if (line !== null) yield line;
  }
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
