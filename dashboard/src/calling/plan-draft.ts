import type { BodyOf, RouteAt } from "../../../contract/asking.ts";
import type { CampaignRecord } from "../../../contract/campaign.ts";

type Plan = NonNullable<BodyOf<RouteAt<"PATCH", "/api/v1/campaigns/:id">>["retryPlan"]>;
type PlannedEnd = Plan[number]["endReasons"][number];

/** Ends that a row may name; `assistant_error` has a repetition of its own. */
export const PLANNED_ENDS = [
  "busy",
  "no_answer",
  "unreachable",
  "voicemail",
  "declined",
  "connection_lost",
  "carrier_error",
  "setup_timeout",
] as const satisfies readonly PlannedEnd[];

export const MOST_ROWS = 10;

/** A row of the retry plan, as in its controls. */
export type PlanRow = {
  /** Tells rows apart while they come and go. */
  readonly id: number;
  readonly endReasons: readonly string[];
  /** `10, 30` */
  readonly afterMins: string;
  readonly isLaterDay: boolean;
};

export function planDraftOf(plan: CampaignRecord["retryPlan"]): readonly PlanRow[] {
  return plan.map(({ endReasons, afterMins, sameDay }, id) => ({
    id,
    endReasons,
    afterMins: afterMins.join(", "),
    isLaterDay: !sameDay,
  }));
}

/** The field of the API; null: no plan. What is no number is sent as it is: the service reports it. */
export function planOf(rows: readonly PlanRow[]) {
  if (rows.length === 0) return null;
  return rows.map(({ endReasons, afterMins, isLaterDay }) => ({
    endReasons,
    afterMins: afterMins
      .split(/[\s,;]+/)
      .filter(isText)
      .map(numberOrText),
    sameDay: !isLaterDay,
  }));
}

const isText = (text: string): boolean => text !== "";
const numberOrText = (text: string): number | string => (Number.isNaN(Number(text)) ? text : Number(text));

/** For the ends that no row names yet, or with none where each has its row. */
export function withRow(rows: readonly PlanRow[], retryOn: readonly string[]): readonly PlanRow[] {
  const id = 1 + Math.max(-1, ...rows.map((row) => row.id));
  const [first] = endsLeft(rows, retryOn);
  return [...rows, { id, endReasons: first === undefined ? [] : [first], afterMins: "", isLaterDay: false }];
}

/** Ends after which people are called again, and that no row names. */
export function endsLeft(rows: readonly PlanRow[], retryOn: readonly string[]): readonly PlannedEnd[] {
  return PLANNED_ENDS.filter(
    (end) => retryOn.includes(end) && !rows.some(({ endReasons }) => endReasons.includes(end)),
  );
}

/** After this end nobody is called again, so no row can name it; one that named nothing else is gone. */
export function withoutEnd(rows: readonly PlanRow[], end: string): readonly PlanRow[] {
  return rows
    .map((row) => ({ ...row, endReasons: row.endReasons.filter((each) => each !== end) }))
    .filter(({ endReasons }, index) => endReasons.length > 0 || rows[index]?.endReasons.length === 0);
}

/** The control that a path of the API means: `retryPlan.1.afterMins`, or the field itself. */
export function controlOf([field = "", row, part]: readonly (string | number)[]): string {
  return field === "retryPlan" && row !== undefined && part !== undefined
    ? `${field}.${row}.${part}`
    : String(field);
}
