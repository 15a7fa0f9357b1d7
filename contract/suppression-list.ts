import { z } from "zod";
import type { SuppressionListId } from "../domain/shared/ids.ts";
import type { SuppressionListKind } from "../domain/suppression/events.ts";
import {
  answer,
  count,
  createdAt,
  type DeepReadonly,
  deletedRecord,
  instant,
  label,
  list,
  pageFields,
  typed,
} from "./fields.ts";
import { routes } from "./route.ts";

const KINDS = ["own", "registry", "litigators", "other"] as const satisfies readonly SuppressionListKind[];

const NAME = "What the list is called";
const KIND =
  "own: yours; registry: a public register, whose age a policy may limit; litigators: people who sue; other. It never changes";
const ACTIVE = "false: its numbers are called (default true)";

export const suppressionListId = typed<SuppressionListId>(z.string().regex(/^spl_(?:[0-9a-z]{26}|default)$/));
const id = suppressionListId.describe("Id of the list; spl_default: the do-not-call list");
const name = label.describe(NAME);
const kind = z.enum(KINDS).describe(KIND);
const active = z.boolean().describe(ACTIVE);

const suppressionListBody = z
  .strictObject({ name, kind, active: active.optional() })
  .meta({ id: "SuppressionListRequest", examples: [{ name: "National register", kind: "registry" }] });

const suppressionListChanges = z
  .strictObject({ name: name.optional(), kind: kind.optional(), active: active.optional() })
  .meta({ id: "SuppressionListChanges", examples: [{ active: false }] });

const example = {
  id: "spl_01k4b2s9h3e8t9v0w1x2y3z4a5",
  name: "National register",
  kind: "registry",
  active: true,
  count: 4_812_377,
  asOf: "2026-09-01T00:00:00.000Z",
  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  behind: false,
  createdAt: "2026-08-01T10:00:00.000Z",
  updatedAt: "2026-09-01T10:00:00.000Z",
} as const;

const suppressionList = z
  .object({
    id,
    name: z.string().describe(NAME),
    kind,
    active,
    count: count.describe("Number of numbers on it"),
    asOf: instant
      .nullable()
      .describe("The day of the list, as it was loaded; ISO 8601, UTC; null: never loaded, or spl_default"),
    sha256: z
      .string()
      .nullable()
      .describe("SHA-256 of the file that was loaded, hexadecimal; null: none, or spl_default"),
    behind: z
      .boolean()
      .describe("true: the database was restored and lacks numbers that were loaded; load the list again"),
    createdAt,
    updatedAt: instant.describe("When it or its numbers changed last; ISO 8601, UTC"),
  })
  .meta({ id: "SuppressionList", examples: [example] });
export type SuppressionListRecord = DeepReadonly<z.infer<typeof suppressionList>>;

/** A list as one on which a number stands. */
export const listOfNumber = suppressionList
  .pick({ id: true, name: true, kind: true, asOf: true })
  .meta({ id: "SuppressionListOfNumber" });
export type ListOfNumber = DeepReadonly<z.infer<typeof listOfNumber>>;

const PATH = { id: "Id of the list" };
const errors = ["SUPPRESSION_LIST_NOT_FOUND"] as const;

export const suppressionListRoutes = routes({
  listSuppressionLists: {
    method: "GET",
    path: "/api/v1/suppression-lists",
    tag: "suppressions",
    summary: "Lists of numbers that nobody calls: the do-not-call list, then the newest",
    scope: "calls:read",
    query: z.object(pageFields),
    answers: { 200: list(suppressionList) },
  },
  createSuppressionList: {
    method: "POST",
    path: "/api/v1/suppression-lists",
    tag: "suppressions",
    summary: "Makes a list without numbers; at most 100",
    scope: "calls:write",
    body: suppressionListBody,
    answers: { 201: answer(suppressionList) },
    errors: ["CONFLICT"],
    idempotent: true,
  },
  getSuppressionList: {
    method: "GET",
    path: "/api/v1/suppression-lists/:id",
    params: PATH,
    tag: "suppressions",
    summary: "One list, without its numbers",
    scope: "calls:read",
    answers: { 200: answer(suppressionList) },
    errors,
  },
  changeSuppressionList: {
    method: "PATCH",
    path: "/api/v1/suppression-lists/:id",
    params: PATH,
    tag: "suppressions",
    summary: "Renames a list, or switches it on or off",
    description:
      "409 `LIST_IMMUTABLE`: its kind never changes. 409 `CONFLICT`: `spl_default` is always as it is.",
    scope: "calls:write",
    body: suppressionListChanges,
    answers: { 200: answer(suppressionList) },
    errors: [...errors, "LIST_IMMUTABLE", "CONFLICT"],
  },
  deleteSuppressionList: {
    method: "DELETE",
    path: "/api/v1/suppression-lists/:id",
    params: PATH,
    tag: "suppressions",
    summary: "Deletes a list; its numbers may be called again",
    description: "409 `CONFLICT`: `spl_default` cannot be deleted.",
    scope: "calls:write",
    answers: { 200: answer(deletedRecord("spl")) },
    errors: [...errors, "CONFLICT"],
  },
});
