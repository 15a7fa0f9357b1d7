/** Rows of a page, unless more are asked for. */
export const ROWS = 20;

/** Characters of an answer: what an assistant can read with room left to think. */
export const MOST_CHARACTERS = 40_000;

type Page = { readonly rows: unknown; readonly nextCursor: unknown };

/**
 * A page of a list that fits. One that is too long is asked for again with fewer rows, so that its cursor
 * goes on behind the last row that is shown.
 */
export async function withinBounds(limit: number, ask: (limit: number) => Promise<Page>): Promise<string> {
  let rows = limit;
  for (;;) {
    const page = await ask(rows);
    const text = JSON.stringify(page);
    if (text.length <= MOST_CHARACTERS) return text;
    if (rows === 1) return shortened(page);
    const fitting = Math.floor((rows * MOST_CHARACTERS * 0.9) / text.length);
    rows = Math.max(1, Math.min(fitting, rows - 1));
  }
}

/** How many items of a list are shown, and how many characters of a text; the first that fits. */
const STEPS = [
  [200, 4_000],
  [50, 1_000],
  [10, 300],
  [3, 100],
  [1, 20],
] as const;

/** As JSON of at most 40,000 characters; says in its place what is left out. */
export function shortened(value: unknown): string {
  const whole = JSON.stringify(value);
  if (whole.length <= MOST_CHARACTERS) return whole;
  for (const [items, characters] of STEPS) {
    const text = JSON.stringify(cut(value, items, characters));
    if (text.length <= MOST_CHARACTERS) return text;
  }
  throw new Error(
    `The answer has ${whole.length} characters, and cannot be shortened to ${MOST_CHARACTERS}.`,
  );
}

function cut(value: unknown, items: number, characters: number): unknown {
  if (typeof value === "string" && value.length > characters)
    return `${value.slice(0, characters)}… (${value.length - characters} more characters)`;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const shown = value.slice(0, items).map((each) => cut(each, items, characters));
    return value.length > items ? [...shown, `… (${value.length - items} more)`] : shown;
  }
  const fields = Object.entries(value);
  // A record's own fields are fewer; those of custom data may be many.
  const most = Math.max(items, 50);
  const shown = fields.slice(0, most).map(([name, each]) => [name, cut(each, items, characters)]);
  const left = fields.length > most ? [["…", `${fields.length - most} more fields`]] : [];
  return Object.fromEntries([...shown, ...left]);
}
