import type { Clock } from "../../../../application/ports/clock.ts";
import type { Logger } from "../../../../application/ports/logger.ts";
import type { CallId } from "../../../../domain/shared/ids.ts";
import type { AriClient } from "../ari/ari-client.ts";
import type { AriChannel } from "../ari/ari-schemas.ts";
import { readChannelVariable, readVariable, setVariable } from "../ari/ari-variables.ts";
import { isCallChannel } from "../line/lines.ts";
import { closeTalk } from "../line/talks.ts";
import { isInApplication, readChannels } from "./reconcile.ts";

/** A process whose heartbeat has not changed for this long counts as dead. */
const AWAY_MILLIS = 7_000;

export type AwayWorkersDeps = {
  readonly ari: AriClient;
  /** Our application, and the common prefix of those of this installation. */
  readonly app: string;
  readonly family: string;
  readonly clock: Pick<Clock, "monotonicMillis">;
  readonly logger: Logger;
  /** Calls that this process controls. */
  readonly isOurs: (callId: CallId) => boolean;
};

/**
 * Processes write heartbeats into Asterisk. The calls of a process that stays away are hung up by any other:
 * nobody talks in them any more, and nobody would answer.
 */
export function createAwayWorkers({ ari, app, family, clock, logger, isOurs }: AwayWorkersDeps) {
  const seen = new Map<string, { readonly value: string; readonly at: number }>();
  let beats = 0;

  const isAway = async (other: string): Promise<boolean> => {
    const value = await readVariable(ari, signOf(other));
    if (value === null) return false;
    const now = clock.monotonicMillis();
    const known = seen.get(other);
    if (known?.value === value) return now - known.at > AWAY_MILLIS;
    seen.set(other, { value, at: now });
    return false;
  };
  const hangUp = async (callId: CallId): Promise<void> => {
    logger.warn({ callId }, "hung up: the process that looked after it is gone");
    await ari.request({ method: "DELETE", path: `/channels/${callId}` });
    await closeTalk(ari, callId);
  };
  return {
    /** With every heartbeat of our own. */
    beat: async (): Promise<void> => {
      beats += 1;
      await setVariable(ari, signOf(app), String(beats));
      for (const channel of (await readChannels(ari)) ?? []) {
        if (!isCallChannel(channel.id) || isOurs(channel.id)) continue;
        const other = appOf(channel) ?? (await readChannelVariable(ari, channel.id, "RF_APP"));
        if (other === null || other === app || !other.startsWith(family)) continue;
        if (await isAway(other)) await hangUp(channel.id);
      }
    },
  };
}

/** The application of a channel; null: none yet. */
function appOf(channel: AriChannel): string | null {
  return isInApplication(channel) ? (channel.dialplan?.app_data.split(",")[0] ?? null) : null;
}

function signOf(app: string): string {
  return `RF_ALIVE_${app}`;
}
