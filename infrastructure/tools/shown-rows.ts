import { MOST_ROWS, type ReadRows } from "./read-only-query.ts";
import { beginning, SHOWN_BYTES } from "./shown-text.ts";

const ROOM_FOR_NOTE = 128;

/**
 * Rows as a JSON array: as many as fit completely; a line after them says what is left out.
 * PostgreSQL cannot send NUL.
 */
export function shownRows({ rows, more }: ReadRows): string {
  const all = JSON.stringify(rows);
  const note = more ? `more than ${MOST_ROWS} rows` : null;
  if (Buffer.byteLength(all) <= SHOWN_BYTES - ROOM_FOR_NOTE) return note === null ? all : `${all}\n${note}`;
  const texts = rows.map((row) => JSON.stringify(row));
  let bytes = ROOM_FOR_NOTE;
  const fitting = texts.findIndex((text) => {
    bytes += Buffer.byteLength(text) + 1;
    return bytes > SHOWN_BYTES;
  });
  const count = note ?? `${rows.length} rows`;
  if (fitting <= 0) return beginning(`${count}, cut off:\n${texts[0]}`);
  return `[${texts.slice(0, fitting).join(",")}]\n${count}; the first ${fitting} are shown`;
}
