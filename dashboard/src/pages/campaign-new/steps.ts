import type { Change, Draft } from "./draft.ts";

export const STEPS = ["file", "columns", "texts", "pace", "report"] as const;
export type Step = (typeof STEPS)[number];

export type StepProps = {
  readonly draft: Draft;
  readonly change: Change;
  readonly next: () => void;
  readonly back: () => void;
};

/** State in the URL: the step, and initial values of a new campaign. */
export type NewCampaignSearch = {
  readonly step?: Step;
  readonly assistantId?: string;
  readonly greetingMessage?: string;
};

export function stepOf(search: Readonly<Record<string, unknown>>): NewCampaignSearch {
  const step = STEPS.find((each) => each === search["step"]);
  const { assistantId, greetingMessage } = search;
  return {
    ...(step === undefined ? {} : { step }),
    ...(typeof assistantId === "string" ? { assistantId } : {}),
    ...(typeof greetingMessage === "string" ? { greetingMessage } : {}),
  };
}
