/** Follows a JSON object or array that comes in pieces; each character is looked at once. */
export type JsonScan = {
  /** The place in this piece right after the value's end; null: it goes on, or had ended before. */
  take(piece: string): number | null;
  /** The value that began has ended. */
  isWhole(): boolean;
};

export function jsonScan(): JsonScan {
  let depth = 0;
  let inText = false;
  let escaped = false;
  let whole = false;

  const step = (character: string): void => {
    if (escaped) escaped = false;
    else if (inText) {
      if (character === "\\") escaped = true;
      else if (character === '"') inText = false;
    } else if (character === '"') inText = depth > 0;
    else if (character === "{" || character === "[") depth += 1;
    else if ((character === "}" || character === "]") && depth > 0) {
      depth -= 1;
      whole = depth === 0;
    }
  };
  return {
    take(piece) {
      for (let place = 0; place < piece.length && !whole; place += 1) {
        step(piece.charAt(place));
        if (whole) return place + 1;
      }
      return null;
    },
    isWhole: () => whole,
  };
}
