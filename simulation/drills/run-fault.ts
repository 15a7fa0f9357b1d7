import { gatherEvidence } from "./drill-evidence.ts";
import { planLongCampaign } from "./drill-plan.ts";
import { inTime, untilCompleted, untilQuiet } from "./drill-quiet.ts";
import { type DrillSetup, setUpDrill, startCampaign } from "./drill-setup.ts";
import { type DrillWorld, type DrillWorldOptions, openDrillWorld } from "./drill-world.ts";
import { judgeDrill } from "./judge-drill.ts";

/** Calls of some seconds, so that the campaign has a middle. */
const UNHURRIED = 10;
const DIALLED_WITHIN_MILLIS = 180_000;

/** Runs a campaign to its end in spite of faults; returns its id, and violations on the way. */
export type Course = (
  world: DrillWorld,
  setup: DrillSetup,
) => Promise<{ readonly campaignId: string; readonly problems: readonly string[] }>;

export type FaultResult = { readonly problems: readonly string[]; readonly log: string };

/** Returns all violations after a course, with the service's log. */
export async function runFault(
  options: Pick<DrillWorldOptions, "prepared"> & Partial<DrillWorldOptions>,
  course: Course,
): Promise<FaultResult> {
  const world = await openDrillWorld({ crashAt: [], simulatorSeed: 1, speed: UNHURRIED, ...options });
  try {
    const setup = await setUpDrill(world.client, world.receiverUrl);
    const { campaignId, problems } = await course(world, setup);
    await untilQuiet(world);
    const judged = judgeDrill(await gatherEvidence(world, setup.start, campaignId));
    return { problems: [...problems, ...judged], log: await world.log() };
  } catch (error) {
    return { problems: [String(error)], log: await world.log() };
  } finally {
    await world.close();
  }
}

/** A campaign of 30 contacts with this `trouble`. */
export function disturbed(seed: number, trouble: (world: DrillWorld) => Promise<void>): Course {
  return async (world, setup) => {
    const campaignId = await startCampaign(world.client, setup, planLongCampaign(seed));
    await trouble(world);
    await untilCompleted(world, campaignId);
    return { campaignId, problems: [] };
  };
}

/** Resolves when the carrier has so many dials in its journal. */
export async function untilDialled(world: DrillWorld, dials: number): Promise<void> {
  const dialled = async () => (await world.journal()).length >= dials;
  await inTime(`${dials} dials`, dialled, DIALLED_WITHIN_MILLIS);
}
