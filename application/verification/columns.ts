type Numbers = Float64Array | Uint32Array | Int32Array | Int16Array | Uint8Array;

/** Numbers in a typed array that grows by half: some millions of rows without an object for each. */
export type Column = {
  get(row: number): number;
  set(row: number, value: number): void;
};

const FIRST_ROWS = 1_024;

export function column<Values extends Numbers>(make: new (length: number) => Values): Column {
  let values = new make(FIRST_ROWS);
  return {
    get: (row) => values[row] ?? 0,
    set: (row, value) => {
      if (row >= values.length) {
        const wider = new make(Math.max(row + 1, Math.ceil(values.length * 1.5)));
        wider.set(values);
        values = wider;
      }
      values[row] = value;
    },
  };
}

/** Texts that come again and again, by number. */
export type Names = {
  readonly numberOf: (text: string) => number;
  readonly text: (number: number) => string;
};

export function names(): Names {
  const known = new Map<string, number>();
  const texts: string[] = [];
  return {
    numberOf: (text) => {
      const number = known.get(text) ?? texts.push(text) - 1;
      known.set(text, number);
      return number;
    },
    text: (number) => texts[number] ?? "",
  };
}

/** Short texts of which each row has another one, as bytes: ids without their prefix. */
export type Texts = { get(row: number): string; set(row: number, text: string): void };

export function texts(width: number): Texts {
  let bytes = new Uint8Array(FIRST_ROWS * width);
  return {
    get: (row) => {
      const codes = bytes.subarray(row * width, (row + 1) * width);
      const end = codes.indexOf(0);
      return String.fromCharCode(...(end < 0 ? codes : codes.subarray(0, end)));
    },
    set: (row, text) => {
      const begin = row * width;
      if (begin + width > bytes.length) {
        const wider = new Uint8Array(Math.max(begin + width, Math.ceil((row + 1) * 1.5) * width));
        wider.set(bytes);
        bytes = wider;
      }
      for (let place = 0; place < text.length; place += 1) bytes[begin + place] = text.charCodeAt(place);
    },
  };
}
