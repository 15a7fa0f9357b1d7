import { z } from "zod";
import { numberCountry } from "./campaign-import.ts";
import { answer, count, type DeepReadonly, instantInput } from "./fields.ts";
import { routes } from "./route.ts";

/** Of a file of numbers. */
export const MAX_FILE_BYTES = 128 * 1024 * 1024;

const query = z.object({
  defaultCountry: numberCountry
    .optional()
    .describe(
      "ISO code of a country: up to 100,000 numbers that are not in E.164 format are read as they are dialled there",
    ),
  asOf: instantInput
    .optional()
    .describe("The day of the list; ISO 8601, not in the future; left out: now. Its age counts from it"),
  force: z
    .enum(["true", "false"])
    .optional()
    .describe("true: also with less than 80 % of the numbers that were on it"),
});

const rejectedRow = z.object({
  line: count.describe("Line of the file, counted from 1"),
  phoneNumber: z.string().nullable().describe("The number as it was given; null: none"),
  reason: z
    .string()
    .describe(
      "missing_phone, not_e164, not_possible, spreadsheet_number, too_many_cells, too_few_cells, bad_row",
    ),
});

const replacedNumbers = z
  .object({
    count: count.describe("Number of numbers that are on the list now"),
    added: count.describe("Number of them that were not on it before"),
    removed: count.describe("Number of numbers that were on it before, and are no more"),
    duplicates: count.describe("Number of rows whose number stands in another row"),
    rejected: z
      .object({
        count: count.describe("Number of rows that were left out"),
        items: z.array(rejectedRow).describe("The first 100 of them"),
      })
      .describe("Rows that have no number: how many, and the first 100"),
  })
  .meta({
    id: "ReplacedListNumbers",
    examples: [
      {
        count: 4_812_377,
        added: 9_120,
        removed: 1_544,
        duplicates: 0,
        rejected: { count: 1, items: [{ line: 7, phoneNumber: "n/a", reason: "not_e164" }] },
      },
    ],
  });
export type ReplacedListNumbers = DeepReadonly<z.infer<typeof replacedNumbers>>;
export type RejectedRow = ReplacedListNumbers["rejected"]["items"][number];

export const listNumberRoutes = routes({
  replaceListNumbers: {
    method: "PUT",
    path: "/api/v1/suppression-lists/:id/numbers",
    params: { id: "Id of the list" },
    tag: "suppressions",
    summary: "Replaces all numbers of a list by those of a file",
    description:
      "A CSV file with a column phone, or with one column, of at most 128 MiB and 5,000,000 numbers, within 10 minutes: as text/csv, or as " +
      "multipart/form-data with the part `file`. The numbers before count until all new ones are there. Refused whole: a file with " +
      "more than 1 % rows without a number, or without any; `LIST_SHRINKS`: less than 80 % of the numbers before, from 100 on (not with " +
      "`force=true`). 409 `LIST_BUSY`: somebody is loading it; 429: two other lists are being loaded; 409 `CONFLICT`: " +
      "`spl_default` has POST /suppressions.",
    scope: "calls:write",
    query,
    answers: { 200: answer(replacedNumbers) },
    takesFile: "alone",
    mostBytes: MAX_FILE_BYTES,
    errors: [
      "SUPPRESSION_LIST_NOT_FOUND",
      "LIST_BUSY",
      "LIST_SHRINKS",
      "CONFLICT",
      "CONCURRENCY_LIMIT_REACHED",
    ],
  },
});
