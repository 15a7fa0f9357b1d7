import type { Change, Draft } from "./draft.ts";

export const STEPS = ["file", "columns", "texts", "pace", "report"] as const;
export type Step = (typeof STEPS)[number];

export type StepProps = {
  readonly draft: Draft;
  readonly change: Change;
  readonly next: () => void;
  readonly back: () => void;
};

export function stepOf(search: Readonly<Record<string, unknown>>): { readonly step?: Step } {
  const step = STEPS.find((each) => each === search["step"]);
  return step === undefined ? {} : { step };
}
