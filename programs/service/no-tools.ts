import type { ToolRunner } from "../../application/ports/tool-runner.ts";

export const noTools: ToolRunner = {
  run: async () => ({
    outcome: "refused",
    shown: "This tool cannot be run here.",
    isError: true,
    evidence: { status: null, millis: null, bytes: null, sha256: null, host: null, rows: null },
  }),
};
