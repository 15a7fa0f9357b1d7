import type { ToolTestRecord } from "../../contract/tool-test.ts";
import type { ToolResult, ToolRun } from "./tool-runner.ts";

/** What its owner is shown; secrets redacted. */
export type ToolTrial = Pick<ToolTestRecord, "request" | "response"> & { readonly result: ToolResult };

/** Runs a tool as `ToolRunner` does, and shows its owner the request and the response. Never throws. */
export interface ToolTester {
  try(run: ToolRun): Promise<ToolTrial>;
}
