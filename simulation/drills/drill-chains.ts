import { type DrillPoint, type DrillScenario, isSlow } from "./drill-points.ts";

/**
 * Points where the service runs long enough after a restart to be killed again. A single call is over soon,
 * and an import is one request of the client.
 */
const GOES_ON: readonly DrillScenario[] = [
  "analysis",
  "failed-analysis",
  "analysis-at-once",
  "campaign",
  "conversation",
  "opt-out",
  "callback",
  "policy",
  "list",
  "eligibility",
];
const LONGEST = 3;
const CONTACTS_A_DEATH = 6;

/**
 * The same points in fewer drills: a service that was killed and restarted is killed at the next point of its
 * chain. Each death costs a start, while installation, carrier, receiver and campaign are shared. Points of a
 * campaign's beginning come first in a chain, those of its end last, and those of an analysis as it comes by
 * them: what it is past, the only one may not come by again.
 */
export function chainPoints(points: readonly DrillPoint[]): readonly DrillPoint[] {
  const goesOn = ({ scenario, crashAt }: DrillPoint) => GOES_ON.includes(scenario) && crashAt.length === 1;
  const chains = GOES_ON.flatMap((scenario) => {
    const own = points
      .filter((point) => goesOn(point) && point.scenario === scenario)
      .toSorted((a, b) => place(a) - place(b));
    const count = Math.ceil(own.length / LONGEST);
    return Array.from({ length: count }, (_, chain) =>
      chainOf(own.filter((_each, at) => at % count === chain)),
    );
  });
  return [...chains, ...points.filter((point) => !goesOn(point))];
}

function chainOf(points: readonly DrillPoint[]): DrillPoint {
  const [first, ...later] = points;
  if (first === undefined) throw new Error("A chain has at least one point");
  const crashAt = [...first.crashAt, ...later.flatMap((point) => point.crashAt)] as const;
  const least = first.scenario === "campaign" ? crashAt.length * CONTACTS_A_DEATH : 0;
  const contacts = Math.max(least, ...points.map((point) => point.contacts ?? 0));
  return { ...first, crashAt, ...(contacts > 0 ? { contacts } : {}) };
}

function place(point: DrillPoint): number {
  const names = point.crashAt.join(" ");
  if (/CampaignStarted|PolicyChanged|policies\.store/.test(names)) return 0;
  if (names.includes("CampaignCompleted")) return 3;
  return isSlow(point) ? 1 : 2;
}
