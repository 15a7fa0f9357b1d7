import { createHash } from "node:crypto";
import type { NumbersFile } from "../../application/suppression/replace-numbers.ts";
import type { RejectedRow } from "../../contract/list-numbers.ts";
import { beginningOf } from "../../domain/shared/storable-text.ts";
import { type NumberCountry, readWrittenNumber } from "../../domain/shared/written-number.ts";
import { listedNumber } from "../../domain/suppression/listed-number.ts";
import { readHeader } from "../campaigns/csv-header.ts";
import type { CsvRecord } from "../campaigns/csv-records.ts";
import { UnreadableFile } from "../campaigns/unreadable-file.ts";
import { recordStream } from "./record-stream.ts";

/** How a file of numbers is read. */
export type NumbersOptions = {
  /** Of numbers that are not in E.164; null: those are refused. */
  readonly defaultCountry: NumberCountry | null;
  /** Of the file's content type; null: none. */
  readonly charset: string | null;
};

const MOST_NUMBERS = 5_000_000;
/** The library takes 70 to 90 µs for each. */
const MOST_WRITTEN = 100_000;
/** With more, any file that may be taken has more than 1 % of them. */
const MOST_REJECTED = Math.ceil(MOST_NUMBERS / 99);
const REPORTED = 100;
const SHOWN_CHARACTERS = 64;

type Reason = RejectedRow["reason"];

/**
 * Reads a file of numbers in parts: its column phone, or its only one, with or without a header. What was
 * read takes 8 bytes a number. Both throw UnreadableFile.
 */
export function numbersReader({ defaultCountry, charset }: NumbersOptions) {
  const hash = createHash("sha256");
  const numbers = growingList();
  const readNumber = numberReader(defaultCountry);
  const items: RejectedRow[] = [];
  let rejected = 0;
  let columns: { readonly phone: number; readonly width: number } | null = null;

  const reject = (line: number, cell: string | null, reason: Reason) => {
    rejected += 1;
    const phoneNumber = cell === null || cell === "" ? null : beginningOf(cell, SHOWN_CHARACTERS);
    if (items.length < REPORTED) items.push({ line, phoneNumber, reason });
    if (rejected > MOST_REJECTED)
      throw new UnreadableFile(
        `More than ${MOST_REJECTED} rows have no number, the first on line ${items[0]?.line}`,
      );
  };
  const takeRow = (line: number, cell: string, { given, width }: { given: number; width: number }) => {
    if (given !== width) return reject(line, cell, given < width ? "too_few_cells" : "too_many_cells");
    const number = readNumber(cell);
    if (typeof number === "number") numbers.add(number);
    else reject(line, cell, number);
  };
  const take = ({ line, cells }: CsvRecord) => {
    if (cells === null) return reject(line, null, "bad_row");
    if (columns !== null) {
      const { phone, width } = columns;
      return takeRow(line, cells[phone] ?? "", { given: cells.length, width });
    }
    const [only = ""] = cells;
    columns = cells.length === 1 ? { phone: 0, width: 1 } : readHeader(cells, {});
    // Without a header, the first row is a number like the others.
    if (cells.length === 1 && typeof readNumber(only) === "number")
      takeRow(line, only, { given: 1, width: 1 });
  };

  const records = recordStream(charset, take);
  return {
    push: (bytes: Uint8Array) => {
      hash.update(bytes);
      records.push(bytes);
    },
    end: (): NumbersFile => {
      records.end();
      const { sorted, repeats } = numbers.distinct();
      return {
        numbers: sorted,
        duplicates: repeats,
        rejected: { count: rejected, items },
        sha256: hash.digest("hex"),
      };
    },
  };
}

type Refused = { readonly kind: "refused"; readonly message: string };
export type ReadAnswer = { readonly kind: "read"; readonly file: NumbersFile } | Refused;

/** The same with a refusal as an answer; null: the part was taken. */
export function answeringReader(options: NumbersOptions) {
  const reader = numbersReader(options);
  const answering = <Answer>(work: () => Answer): Answer | Refused => {
    try {
      return work();
    } catch (error) {
      if (error instanceof UnreadableFile) return { kind: "refused", message: error.message };
      throw error;
    }
  };
  return {
    push: (bytes: Uint8Array): Refused | null =>
      answering(() => {
        reader.push(bytes);
        return null;
      }),
    end: (): ReadAnswer => answering(() => ({ kind: "read" as const, file: reader.end() })),
  };
}

function numberReader(country: NumberCountry | null): (cell: string) => number | Reason {
  let written = 0;
  return (cell) => {
    const number = listedNumber(cell);
    if (number === "not_possible" || typeof number === "number") return number;
    if (cell === "") return "missing_phone";
    if (cell.length > SHOWN_CHARACTERS) return "not_e164";
    if (number === "ask" || country !== null || /[+\uff0b]/.test(cell)) written += 1;
    if (written > MOST_WRITTEN)
      throw new UnreadableFile(
        `Has more than ${MOST_WRITTEN.toLocaleString("en")} numbers in other forms than E.164 (+905321112233)`,
      );
    const read = readWrittenNumber(cell, country);
    return read.ok ? Number(read.value.slice(1)) : read.reason;
  };
}

function growingList() {
  let numbers = new Float64Array(4096);
  let length = 0;
  return {
    add: (number: number) => {
      if (length === MOST_NUMBERS)
        throw new UnreadableFile(`Has more than ${MOST_NUMBERS.toLocaleString("en")} numbers`);
      if (length === numbers.length) {
        const grown = new Float64Array(Math.min(MOST_NUMBERS, 2 * length));
        grown.set(numbers);
        numbers = grown;
      }
      numbers[length] = number;
      length += 1;
    },
    distinct: () => {
      const all = numbers.subarray(0, length).sort();
      let count = 0;
      for (const number of all) {
        if (count > 0 && all[count - 1] === number) continue;
        all[count] = number;
        count += 1;
      }
      return { sorted: all.slice(0, count), repeats: length - count };
    },
  };
}
