import type { Clock } from "../../../../application/ports/clock.ts";
import type { Logger } from "../../../../application/ports/logger.ts";
import type { CallId } from "../../../../domain/shared/ids.ts";
import type { AriClient } from "../ari/ari-client.ts";
import type { AriChannel } from "../ari/ari-schemas.ts";
import { readChannelVariable, readVariable, setVariable } from "../ari/ari-variables.ts";
import { isCallChannel } from "../line/lines.ts";
import { isInApplication, readChannels } from "./reconcile.ts";

/** A process that has not changed its sign of life for so long is gone. */
const AWAY_MILLIS = 12_000;
const BEATS_A_LOOK = 2;
/** Two that take the same call: whoever wrote last has it. */
const SETTLE_MILLIS = 100;

export type AwayWorkersDeps = {
  readonly ari: AriClient;
  /** Ours, and how those of all processes of this installation begin. */
  readonly app: string;
  readonly family: string;
  readonly clock: Pick<Clock, "monotonicMillis" | "sleep">;
  readonly logger: Logger;
};

/** Processes show each other through Asterisk that they live. The calls of one that does not are taken over when somebody talks, else hung up: nobody would be there at the answer. */
export function createAwayWorkers({ ari, app, family, clock, logger }: AwayWorkersDeps) {
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
  const take = async (channel: AriChannel, callId: CallId): Promise<void> => {
    const path = `/channels/${callId}`;
    const isTalking = channel.state === "Up" && isInApplication(channel);
    if (!isTalking || !(await isMine(callId))) {
      await ari.request({ method: "DELETE", path });
      return logger.warn({ callId }, "hung up: its process is gone");
    }
    const moved = await ari.request({
      method: "POST",
      path: `${path}/move`,
      query: { app, appArgs: callId },
    });
    logger.warn({ callId }, "taken over: its process is gone");
    if (moved.kind === "answered" && moved.status >= 400) await ari.request({ method: "DELETE", path });
  };
  const isMine = async (callId: CallId): Promise<boolean> => {
    const query = { variable: "RF_APP", value: app };
    await ari.request({ method: "POST", path: `/channels/${callId}/variable`, query });
    await clock.sleep(SETTLE_MILLIS);
    return (await readChannelVariable(ari, callId, "RF_APP")) === app;
  };
  return {
    /** With every sign of life of our own. */
    beat: async (): Promise<void> => {
      beats += 1;
      await setVariable(ari, signOf(app), String(beats));
      if (beats % BEATS_A_LOOK !== 0) return;
      for (const channel of (await readChannels(ari)) ?? []) {
        if (!isCallChannel(channel.id)) continue;
        const other = await readChannelVariable(ari, channel.id, "RF_APP");
        if (other === null || other === app || !other.startsWith(family)) continue;
        if (await isAway(other)) await take(channel, channel.id);
      }
    },
  };
}

function signOf(app: string): string {
  return `RF_ALIVE_${app}`;
}
