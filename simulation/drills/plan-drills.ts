import { type DrillPlan, planDrill } from "./drill-plan.ts";
import { type DrillPoint, isSlow } from "./drill-points.ts";

/**
 * `count` drills over all of these points in turn, with seeds from `seed` on; slow ones come first, so that
 * others run while they wait.
 */
export function planDrills(points: readonly DrillPoint[], count: number, seed: number): readonly DrillPlan[] {
  const plans = Array.from({ length: count }, (_, index) => points[index % points.length]).flatMap(
    (point, index) => (point === undefined ? [] : [planDrill(point, seed + index)]),
  );
  const slow = ({ point }: DrillPlan) => isSlow(point);
  return [...plans.filter(slow), ...plans.filter((plan) => !slow(plan))];
}
