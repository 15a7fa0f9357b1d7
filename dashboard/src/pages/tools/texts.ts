import type { ToolRecord } from "../../../../contract/tool.ts";
import { en } from "./en.ts";
import { tr } from "./tr.ts";

export const TEXTS = { en, tr };
export const PATH = "/api/v1/tools";
export const TOOL = `${PATH}/:toolId` as const;
export const SECRETS = "/api/v1/secrets";
export const SECRET = `${SECRETS}/:name` as const;

export type ToolType = ToolRecord["type"];
export const TYPES = [
  "API_REQUEST",
  "DATABASE_QUERY",
  "END_CALL",
  "TRANSFER_CALL",
] as const satisfies readonly ToolType[];
export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"] as const;
