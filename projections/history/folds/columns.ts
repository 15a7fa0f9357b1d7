type Column = Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array;

/** The column, or a copy of it with room at `place`: a quarter larger, so that little is empty. */
export function withRoom<Typed extends Column>(
  column: Typed,
  place: number,
  make: (length: number) => Typed,
): Typed {
  if (place < column.length) return column;
  const longer = make(Math.ceil((place + 1) * 1.25));
  longer.set(column);
  return longer;
}

export const floats = (length: number) => new Float64Array(length);
export const integers = (length: number) => new Int32Array(length);
export const shorts = (length: number) => new Uint16Array(length);
export const bytes = (length: number) => new Uint8Array(length);
