import { gatherEvidence } from "./drill-evidence.ts";
import { planLongCampaign } from "./drill-plan.ts";
import { inTime, untilCompleted, untilQuiet } from "./drill-quiet.ts";
import { setUpDrill, startCampaign } from "./drill-setup.ts";
import { type DrillWorld, openDrillWorld } from "./drill-world.ts";
import { judgeDrill } from "./judge-drill.ts";

/** Calls of some seconds, so that there is a middle of the campaign. */
const UNHURRIED = 10;
const DIALLED_WITHIN_MILLIS = 180_000;

/** A campaign of 30 contacts into which `trouble` comes; answers what does not hold afterwards, with the service's log. */
export async function runFault(
  seed: number,
  trouble: (world: DrillWorld) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly problems: readonly string[]; readonly log: string }> {
  const world = await openDrillWorld({ crashAt: [], simulatorSeed: seed, speed: UNHURRIED, env });
  try {
    const setup = await setUpDrill(world.client, world.receiverUrl);
    const campaignId = await startCampaign(world.client, setup, planLongCampaign(seed));
    await trouble(world);
    await untilCompleted(world, campaignId);
    await untilQuiet(world);
    const problems = judgeDrill(await gatherEvidence(world, setup.start, campaignId));
    return { problems, log: await world.log() };
  } catch (error) {
    return { problems: [String(error)], log: await world.log() };
  } finally {
    await world.close();
  }
}

/** Resolves when the carrier has so many dials in its book. */
export async function untilDialled(world: DrillWorld, dials: number): Promise<void> {
  const dialled = async () => (await world.journal()).length >= dials;
  await inTime(`${dials} dials`, dialled, DIALLED_WITHIN_MILLIS);
}
