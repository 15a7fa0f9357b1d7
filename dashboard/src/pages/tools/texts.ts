import { en } from "./en.ts";
import { tr } from "./tr.ts";

export const TEXTS = { en, tr };
export const PATH = "/api/v1/tools";
export const SECRETS = "/api/v1/secrets";

export const TYPES = ["API_REQUEST", "DATABASE_QUERY", "END_CALL", "TRANSFER_CALL"] as const;
export type ToolType = (typeof TYPES)[number];

export type Tool = {
  readonly id: string;
  readonly name: string;
  readonly type: ToolType;
  readonly description: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly updatedAt: string;
};
export type Secret = { readonly name: string; readonly updatedAt: string };
