import { gatherEvidence } from "./drill-evidence.ts";
import type { DrillPlan } from "./drill-plan.ts";
import { pointName } from "./drill-points.ts";
import { inTime, untilQuiet } from "./drill-quiet.ts";
import { SCENARIOS } from "./drill-scenarios.ts";
import { setUpDrill } from "./drill-setup.ts";
import { type DrillWorld, openDrillWorld } from "./drill-world.ts";
import { judgeDrill } from "./judge-drill.ts";
import type { PreparedData } from "./prepared-data.ts";

export type DrillResult = {
  readonly point: string;
  readonly seed: number;
  readonly crashAt: readonly string[];
  /** The service died at its point, exactly as often as planned. */
  readonly died: boolean;
  /** Violations; none: passed. */
  readonly problems: readonly string[];
  readonly millis: number;
  /** The service's log of a failed drill, else empty. */
  readonly log: string;
};

/**
 * The time limit for reaching a point: for one death, and for each further one, which comes after a start.
 */
const DIES_WITHIN_MILLIS = 180_000;
const DIES_AGAIN_WITHIN_MILLIS = 60_000;

/**
 * One drill from start to verdict. It fails unless the service died at its point. All of its
 * processes have ended then.
 */
export async function runDrill(plan: DrillPlan, prepared: PreparedData): Promise<DrillResult> {
  const began = performance.now();
  const { crashAt, seed } = plan;
  const world = await openDrillWorld({ prepared, crashAt, simulatorSeed: seed });
  try {
    const problems = await judged(world, plan).catch((error: unknown) => [String(error)]);
    const died = world.service.deaths() === crashAt.length;
    const log = problems.length === 0 ? "" : await world.log();
    const millis = performance.now() - began;
    return { point: pointName(plan.point), seed, crashAt, died, problems, millis, log };
  } finally {
    await world.close();
  }
}

async function judged(world: DrillWorld, plan: DrillPlan): Promise<readonly string[]> {
  const { client, service } = world;
  const died = async () => service.deaths() >= plan.crashAt.length;
  const within = DIES_WITHIN_MILLIS + (plan.crashAt.length - 1) * DIES_AGAIN_WITHIN_MILLIS;
  const crashed = async () => {
    await inTime(`the death at ${plan.crashAt.join(", then ")}`, died, within);
  };
  const setup = await setUpDrill(client, world.receiverUrl);
  const { campaignId, problems, afterwards } = await SCENARIOS[plan.point.scenario](
    world,
    setup,
    plan,
    crashed,
  );
  await untilQuiet(world);
  const evidence = await gatherEvidence(world, setup.start, campaignId);
  const found = [...judgeDrill(evidence), ...((await afterwards?.()) ?? [])];
  const deaths =
    service.deaths() === plan.crashAt.length ? [] : [`the service died ${service.deaths()} times`];
  return [...deaths, ...problems, ...client.serverErrors, ...found];
}
