import type { StopSignal } from "../ports/clock.ts";
import { repeatUntilStopped } from "../repeating.ts";
import { type ErasureStepsDeps, runErasure } from "./erasure-steps.ts";

const ROUND_MILLIS = 30_000;

/**
 * Continues every erasure that a crash or an outage interrupted, until `stop` aborts. Those of retention run
 * elsewhere (run-retention.ts).
 */
export async function runErasures(deps: ErasureStepsDeps, stop: StopSignal): Promise<void> {
  const pause = () => deps.clock.sleep(ROUND_MILLIS, stop);
  const onFailure = (error: unknown) =>
    deps.logger.warn({ problem: String(error) }, "erasures cannot be read; tried again");
  await repeatUntilStopped({ signal: stop, pause, onFailure }, async () => {
    for (const erasure of await deps.erasures.running()) {
      if (stop.aborted) return;
      if (erasure.kind === "retention") continue;
      const asker = { owner: erasure.owner, actor: "process:erasures", correlationId: erasure.id };
      await runErasure(deps, erasure, asker);
    }
  });
}
