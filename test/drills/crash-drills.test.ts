import { afterAll, beforeAll, expect, it } from "vitest";
import { planDrill } from "../support/drills/drill-plan.ts";
import { DRILL_POINTS, pointName } from "../support/drills/drill-points.ts";
import { type DrillResult, runDrill } from "../support/drills/run-drill.ts";
import { startMany } from "../support/drills/start-many.ts";

/** The slow ones first. All points, any number of times: `npm run drill -- --count 300`. */
const POINTS = [
  "after-append-CallDialingBegan",
  "before-place-call",
  "single-call/after-append-CallRequested",
  "before-append-ContactDialed",
  "webhook-answered",
  "after-append-ContactDialed",
  "before-start-call",
  "after-place-call",
  "before-append-CallRinging",
  "after-append-CallConnected",
  "before-append-CallCompleted",
  "after-append-CallFailed",
  "before-carrier-event",
  "after-append-ContactAttemptFailed",
  "before-append-CampaignCompleted",
  "before-close-slots",
  "after-close-slots",
  "before-save-checkpoint",
  "before-enqueue-webhooks",
  "webhook-recorded",
  "hang-up/before-hang-up",
  "after-append-ContactDialed+before-take-over",
  "import/after-import-chunk",
  "single-call/after-place-call",
  "hang-up/after-append-CallEndRequested",
];
const AT_ONCE = 6;

const plans = POINTS.flatMap((name, index) =>
  DRILL_POINTS.filter((point) => pointName(point) === name).map((point) => planDrill(point, index + 1)),
);
let drills: readonly Promise<DrillResult>[] = [];
beforeAll(() => {
  drills = startMany(plans, AT_ONCE, runDrill);
});
afterAll(async () => {
  await Promise.allSettled(drills);
});

function told({ point, seed, crashAt, problems }: DrillResult): string {
  const command = `npm run drill -- --point ${point} --seed ${seed}`;
  return [`${command}  (CRASH_AT=${crashAt.join(", then ")})`, ...problems].join("\n");
}

it("names points that there are", () => {
  expect(plans.map(({ point }) => pointName(point))).toEqual(POINTS);
});

it.for(plans.map(({ point }, index) => [pointName(point), index] as const))(
  "keeps every promise when it is killed at %s",
  { timeout: 600_000 },
  async ([, index]) => {
    const result = await drills[index];
    expect(result?.problems, result && told(result)).toEqual([]);
    expect(result?.died).toBe(true);
  },
);
