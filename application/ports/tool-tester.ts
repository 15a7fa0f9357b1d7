import type { JsonObject } from "../../domain/shared/json.ts";
import type { ToolResult, ToolRun } from "./tool-runner.ts";

/** The request of an API_REQUEST; secrets redacted. */
export type SentRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

/** The query that was sent to a database. */
export type SentQuery = {
  readonly query: string;
  /** Values of `$1`, `$2`, … */
  readonly parameters: readonly (string | null)[];
};

export type ReceivedResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** As far as it was read; secrets redacted. */
  readonly body: string;
};

export type ReceivedRows = { readonly rows: readonly JsonObject[]; readonly more: boolean };

export type ToolTrial = {
  readonly result: ToolResult;
  /** null: no request could be made of the tool and its arguments. */
  readonly request: SentRequest | SentQuery | null;
  /** null: there was none. */
  readonly response: ReceivedResponse | ReceivedRows | null;
};

/** Runs a tool as `ToolRunner` does, and shows its owner the request and the response. Never throws. */
export interface ToolTester {
  try(run: ToolRun): Promise<ToolTrial>;
}
