import { en } from "./en.ts";
import { tr } from "./tr.ts";

export const TEXTS = { en, tr };
export const PATH = "/api/v1/squads";

export type Member = {
  readonly id: string;
  readonly assistantId: string;
  readonly assistantVersion: number | null;
  readonly isEntry: boolean;
  readonly position: number;
};

export const CONTEXT_MODES = ["all", "last_n", "user_and_assistant", "previous", "none"] as const;

export type Handoff = {
  readonly id: string;
  readonly fromMemberId: string;
  readonly toMemberId: string;
  readonly fromAssistantId: string;
  readonly toAssistantId: string;
  readonly toolName: string;
  readonly description: string;
  readonly message: string | null;
  readonly contextMode: (typeof CONTEXT_MODES)[number];
  readonly contextMaxMessages: number | null;
  readonly enabled: boolean;
};

export type Squad = {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly members: readonly Member[];
  readonly handoffs: readonly Handoff[];
  readonly updatedAt: string;
};
