import type { ToolRun } from "../../application/ports/tool-runner.ts";
import type { ToolTrial } from "../../application/ports/tool-tester.ts";
import type { SentQuery } from "../../contract/tool-test.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import { bindNamed } from "../../domain/tool/named-parameters.ts";
import { type Fill, filled, onlyVariable } from "../../domain/tool/placeholders.ts";
import { databaseQueryConfig } from "../../domain/tool/tool-config.ts";
import { AddressNotAllowed } from "../http/pinned-connector.ts";
import { type PostgresConnection, QueryFailed, type QueryThreads } from "./query-threads.ts";
import { MOST_ROWS, type ReadRows } from "./read-only-query.ts";
import { redaction } from "./redaction.ts";
import { beginning, SHOWN_BYTES } from "./shown-text.ts";
import { NO_EVIDENCE, refusedTrial, unanswered } from "./tool-trials.ts";

export type DatabaseQueryDeps = {
  readonly databases: Pick<QueryThreads, "ask">;
  /** The current connection of kind postgres, with its password; null: the owner has none with that id. */
  readonly postgresConnection: (owner: OwnerId, id: string) => Promise<PostgresConnection | null>;
};

/** Runs the query once, and gives up at `until` (monotonic clock). */
export async function runDatabaseQuery(
  { databases, postgresConnection }: DatabaseQueryDeps,
  { owner, tool, signal }: ToolRun,
  fill: Fill,
  until: number,
): Promise<ToolTrial> {
  const config = databaseQueryConfig(tool.config);
  const bound = config && bindNamed(config.query);
  if (config === null || !bound?.ok) return refusedTrial("The tool cannot be read");
  const { connectionId, parameters } = config;
  if (connectionId === null) return refusedTrial("The tool names no connection");
  const connection = await postgresConnection(owner, connectionId);
  if (connection === null) return refusedTrial("The connection of the tool is not there");
  const values = bound.names.map((name) => parameterValue(name, parameters, fill));
  const request: SentQuery = { query: bound.text, parameters: values };

  const started = performance.now();
  const late = AbortSignal.timeout(Math.max(1, Math.ceil(until - started)));
  const stop = AbortSignal.any([signal, late]);
  const evidence = () => ({
    ...NO_EVIDENCE,
    millis: Math.round(performance.now() - started),
    host: connection.host,
  });
  try {
    const rows = await databases.ask(connection, { text: bound.text, values }, stop);
    return answered(rows, request, { ...evidence(), rows: rows.rows.length });
  } catch (error) {
    if (error instanceof AddressNotAllowed)
      return refusedTrial("The address of the database is not allowed", request);
    const redact = redaction([connection.password]);
    const isLate = (late.aborted && !signal.aborted) || codeOf(error) === "57014";
    const shown = isLate ? "The query took too long" : beginning(redact(problemOf(error, signal.aborted)));
    const result = unanswered(isLate ? "timed_out" : "failed", shown, evidence());
    return { result, request, response: null };
  }
}

/**
 * A parameter that consists of one missing variable is NULL; without an entry in `parameters` a
 * name is its own value.
 */
function parameterValue(
  name: string,
  parameters: Readonly<Record<string, string>>,
  fill: Fill,
): string | null {
  const template = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (template === undefined) return fill(name, "argument") ?? fill(name, "variable") ?? null;
  const variable = onlyVariable(template);
  return variable === null ? filled(template, fill) : (fill(variable, "variable") ?? null);
}

function answered(rows: ReadRows, request: SentQuery, evidence: ToolTrial["result"]["evidence"]): ToolTrial {
  return {
    result: { outcome: "answered", shown: shownRows(rows), isError: false, evidence },
    request,
    response: rows,
  };
}

/** PostgreSQL's message about a query helps its author; of a failed connection nothing is returned. */
function problemOf(error: unknown, aborted: boolean): string {
  if (aborted) return "It was broken off";
  if (!(error instanceof QueryFailed)) return NOT_THERE;
  if (error.isTooMuch) return "The query answered with more than 4 MiB";
  const isOfTheQuery = /^[0-9A-Z]{5}$/.test(error.code) && !/^(08|28|3D|53|57|58|XX)/.test(error.code);
  return isOfTheQuery ? `The query failed: ${error.message}` : NOT_THERE;
}

const NOT_THERE = "The database cannot be used at the moment";

function codeOf(error: unknown): string {
  return error instanceof QueryFailed ? error.code : "";
}

const ROOM_FOR_NOTE = 128;

/**
 * Rows as a JSON array: as many as fit completely; a line after them says what is left out.
 * PostgreSQL cannot send NUL.
 */
function shownRows({ rows, more }: ReadRows): string {
  const all = JSON.stringify(rows);
  const note = more ? `more than ${MOST_ROWS} rows` : null;
  if (Buffer.byteLength(all) <= SHOWN_BYTES - ROOM_FOR_NOTE) return note === null ? all : `${all}\n${note}`;
  const texts = rows.map((row) => JSON.stringify(row));
  let bytes = ROOM_FOR_NOTE + "[".length;
  const fitting = texts.findIndex((text) => {
    bytes += Buffer.byteLength(text) + 1;
    return bytes > SHOWN_BYTES;
  });
  const count = note ?? `${rows.length} rows`;
  if (fitting === 0) return beginning(`${count}, cut off:\n${texts[0]}`);
  return `[${texts.slice(0, fitting).join(",")}]\n${count}; the first ${fitting} are shown`;
}
