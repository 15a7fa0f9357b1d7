import type { ConnectionKind } from "../../../contract/connection-settings.ts";
import { CONNECTED_CARRIERS } from "../../../domain/call/carrier-identity.ts";

export const CONNECTION_KINDS = [
  "model",
  "postgres",
  "twilio",
  "asterisk",
] as const satisfies readonly ConnectionKind[];
export const CARRIERS: readonly ConnectionKind[] = CONNECTED_CARRIERS;
