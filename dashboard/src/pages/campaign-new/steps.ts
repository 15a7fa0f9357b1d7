import { controlOf } from "../../calling/plan-draft.ts";
import type { Change, Draft } from "./draft.ts";

export const STEPS = ["file", "columns", "texts", "pace", "report"] as const;
export type Step = (typeof STEPS)[number];

export type StepProps = {
  readonly draft: Draft;
  /** As the service can judge the file already. */
  readonly judged: Draft;
  readonly change: Change;
  /** Why the service refused a field, by its name. */
  readonly faultOf: (name: string) => string | undefined;
  readonly next: () => void;
  readonly back: () => void;
};

/** State in the URL: the step, and initial values of a new campaign. */
export type NewCampaignSearch = {
  readonly step?: Step | undefined;
  readonly assistantId?: string | undefined;
  readonly greetingMessage?: string | undefined;
  /** Id of the campaign that this one is a duplicate of. */
  readonly from?: string | undefined;
};

/** The field that the service means; those of an import stand in its `settings`. */
export function fieldOfPath(path: readonly (string | number)[]): string {
  return controlOf(path[0] === "settings" ? path.slice(1) : path);
}

/** The step with the control of a field of the API. */
export function stepOfField(name: string): Step {
  if (["name", "assistantId", "phoneNumberId", "greetingMessage", "specialInstructions"].includes(name))
    return "texts";
  if (name.startsWith("columns") || ["defaultCountry", "skipDuplicates"].includes(name)) return "columns";
  return name === "file" ? "file" : "pace";
}

/** Every name is answered: the router keeps what is not named as it was given. */
export function stepOf(search: Readonly<Record<string, unknown>>): NewCampaignSearch {
  const text = (name: string) => (typeof search[name] === "string" ? search[name] : undefined);
  return {
    step: STEPS.find((each) => each === search["step"]),
    assistantId: text("assistantId"),
    from: text("from"),
    greetingMessage: text("greetingMessage"),
  };
}
