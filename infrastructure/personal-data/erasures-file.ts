import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import type { Erased, ErasureJournal } from "../../application/ports/erasures.ts";
import { idWithPrefix } from "../log/stored/fields.ts";

const PAGE = 500;
const owner = idWithPrefix("usr");
const line = z.union([
  z.object({ callId: idWithPrefix("call"), owner, erasureId: idWithPrefix("ers") }),
  z.object({ campaignId: idWithPrefix("cmp"), owner }),
]);

/**
 * ERASURES_FILE: a JSON line for each erased call and each deleted campaign, append-only (mode 0600). It has
 * ids and times, no texts.
 */
export function erasuresFile(path: string): ErasureJournal {
  return {
    async add(erased, at) {
      if (erased.length === 0) return;
      await mkdir(dirname(path), { recursive: true });
      const file = await open(path, "a", 0o600);
      try {
        // A line that a crash cut short must not swallow the next one, so each write begins a new line;
        // empty lines are skipped.
        const lines = erased.map((one) => `\n${JSON.stringify({ ...one, at })}\n`);
        await file.appendFile(lines.join(""));
        await file.datasync();
      } finally {
        await file.close();
      }
    },
    async *read() {
      const file = await open(path, "r").catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      });
      if (file === null) return;
      try {
        let page: Erased[] = [];
        let number = 0;
        for await (const text of file.readLines()) {
          number += 1;
          const erased = parsed(text, `${path}, line ${number}`);
          if (erased !== null) page.push(erased);
          if (page.length < PAGE) continue;
          yield page;
          page = [];
        }
        if (page.length > 0) yield page;
      } finally {
        await file.close();
      }
    },
  };
}

/**
 * null: an empty line, or a cut line of a process that died; its erasure goes on by itself
 * and writes it again. Another line may be an erasure that nobody would repeat, so it is refused.
 */
function parsed(text: string, place: string): Erased | null {
  if (text.replaceAll("\0", "") === "") return null;
  if (text.startsWith("{") && !text.endsWith("}")) return null;
  const found = line.safeParse(jsonOf(text));
  if (found.success) return found.data;
  throw new Error(
    `${place}: this is no erased call and no deleted campaign. Put back the line as it was written`,
  );
}

/** undefined: it is none. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
