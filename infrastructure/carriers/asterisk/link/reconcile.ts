import type { Clock } from "../../../../application/ports/clock.ts";
import type { CallId } from "../../../../domain/shared/ids.ts";
import type { AriClient } from "../ari/ari-client.ts";
import { type AriChannel, bridgesSchema, channelsSchema } from "../ari/ari-schemas.ts";
import { readChannelVariable } from "../ari/ari-variables.ts";
import { isCallChannel, type Lines } from "../line/lines.ts";
import { BRIDGE_PREFIX, closeTalk, MEDIA_PREFIX } from "../line/talks.ts";

export type ReconcileDeps = {
  readonly ari: AriClient;
  readonly app: string;
  readonly clock: Pick<Clock, "now">;
  readonly lines: Lines;
};

/** null: they cannot be read. */
export async function readChannels(ari: Pick<AriClient, "request">): Promise<readonly AriChannel[] | null> {
  const answer = await ari.request({ method: "GET", path: "/channels" });
  if (answer.kind === "failed" || answer.status !== 200) return null;
  const channels = channelsSchema.safeParse(answer.body);
  return channels.success ? channels.data : null;
}

/**
 * Compares with Asterisk after a time without events, or at the start of this process: continues its own
 * calls, ends those that are gone, and removes unused bridges and channels.
 */
export async function reconcile(
  { ari, app, clock, lines }: ReconcileDeps,
  isSameRun: boolean,
): Promise<void> {
  if (!isSameRun) for (const { callId } of lines.all()) lines.lost(callId);
  const channels = await readChannels(ari);
  if (channels === null) return;
  const live = new Set<string>(channels.map(({ id }) => id));
  const now = clock.now();
  for (const { callId } of lines.all())
    if (!live.has(callId)) void lines.ended(callId, { cause: null, at: now });
  for (const channel of channels) {
    if (!isCallChannel(channel.id)) continue;
    if ((await readChannelVariable(ari, channel.id, "RF_APP")) !== app) continue;
    await takeUp(ari, app, channel.id);
    lines.stands(channel.id, channel.state, isInApplication(channel), now);
  }
  await sweep(ari, channels, live);
}

/** A channel in an application can be controlled by us. */
export function isInApplication({ dialplan }: AriChannel): boolean {
  return dialplan?.app_name === "Stasis";
}

async function takeUp(ari: AriClient, app: string, callId: CallId): Promise<void> {
  const query = { eventSource: `channel:${callId}` };
  await ari.request({ method: "POST", path: `/applications/${app}/subscription`, query });
}

/** Bridges and media channels whose call is over. */
async function sweep(
  ari: AriClient,
  channels: readonly AriChannel[],
  live: ReadonlySet<string>,
): Promise<void> {
  const answer = await ari.request({ method: "GET", path: "/bridges" });
  const bridges = answer.kind === "answered" ? bridgesSchema.safeParse(answer.body) : null;
  for (const { id } of bridges?.success ? bridges.data : []) {
    const callId = id.startsWith(BRIDGE_PREFIX) ? id.slice(BRIDGE_PREFIX.length) : "";
    if (isCallChannel(callId) && !live.has(callId)) await closeTalk(ari, callId);
  }
  for (const { id } of channels) {
    const callId = id.startsWith(MEDIA_PREFIX)
      ? id.slice(MEDIA_PREFIX.length).replace(/-[0-9a-f]+$/, "")
      : "";
    if (isCallChannel(callId) && !live.has(callId))
      await ari.request({ method: "DELETE", path: `/channels/${id}` });
  }
}
