import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { TOO_MANY_CONTACTS } from "../../application/campaign/screen-contacts.ts";
import type { ScreenedImport } from "../../application/campaign/screen-import.ts";
import type { ImportSettings } from "../../contract/campaign-import.ts";
import type { RejectedContact } from "../../domain/campaign/events.ts";
import { MAX_CONTACTS } from "../../domain/campaign/importing.ts";
import { readTemplate } from "../../domain/campaign/texts/text-template.ts";
import { asFile, data, given } from "../answers.ts";
import type { ReadingOptions } from "../body/reading-options.ts";
import { validationError } from "../errors.ts";
import type { FileLines } from "./read-contacts-csv.ts";

type Query = { readonly dryRun?: string | undefined; readonly rejected?: string | undefined };

/** Only a dry run reports all rejected rows; a created campaign keeps the first 100 of them. */
export function readingOptions(
  {
    columns = {},
    defaultCountry,
    skipDuplicates = false,
    greetingMessage,
    specialInstructions,
  }: ImportSettings,
  { dryRun, rejected }: Query,
  { accept = "", charset }: { readonly accept: string | undefined; readonly charset: string | null },
): ReadingOptions {
  const said = saidKeys([greetingMessage, specialInstructions]);
  const country = defaultCountry ?? null;
  const options = { skipDuplicates, columns: given(columns), defaultCountry: country, charset, said };
  if (rejected === undefined) return { ...options, report: "first" };
  if (dryRun !== "true")
    throw validationError("The query", [{ path: ["rejected"], message: "Only allowed with dryRun=true" }]);
  return { ...options, report: /\btext\/csv\b/i.test(accept) ? "rows" : "all" };
}

function saidKeys(texts: readonly (string | null | undefined)[]): ReadonlySet<string> {
  const templates = texts.map((text) => readTemplate(text ?? ""));
  return new Set(templates.flatMap(({ spellings, fallbacks }) => [...spellings.keys(), ...fallbacks.keys()]));
}

/** The report, or the rejected rows as a file if their lines were asked for. */
export function answerDryRun(reply: FastifyReply, screened: ScreenedImport, lines: FileLines | null) {
  const { accepted, rejected, duplicates, normalized, warnings } = screened;
  if (accepted > MAX_CONTACTS)
    throw validationError("The file", [{ path: ["file"], message: TOO_MANY_CONTACTS }]);
  if (lines !== null) {
    asFile(reply).type("text/csv; charset=utf-8");
    reply.header("Content-Disposition", 'attachment; filename="rejected.csv"');
    return reply.send(Readable.from(rejectedCsv(lines, rejected.items)));
  }
  return data({
    totalContacts: accepted,
    rejectedContacts: rejected,
    duplicateContacts: duplicates,
    normalized,
    warnings,
  });
}

/** Line and reason, then the original row. */
function* rejectedCsv(lines: FileLines, rows: readonly RejectedContact[]): Generator<string, void> {
  yield `line,reason,${lines.header}`;
  for (const { index, line, reason } of rows) yield `${line},${reason},${lines.byIndex.get(index)}`;
}
