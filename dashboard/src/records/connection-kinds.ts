import type { ConnectionKind } from "../../../contract/connection-settings.ts";

export const CONNECTION_KINDS = [
  "model",
  "postgres",
  "twilio",
  "asterisk",
] as const satisfies readonly ConnectionKind[];
export const CARRIERS: readonly ConnectionKind[] = ["twilio", "asterisk"];
