import { randomBytes } from "node:crypto";
import type { Logger } from "../../../../application/ports/logger.ts";
import type { AudioLeg, AudioListener } from "../../../../application/voice/audio/audio-leg.ts";
import type { CallId } from "../../../../domain/shared/ids.ts";
import type { AriAnswer, AriClient } from "../ari/ari-client.ts";
import { mediaChannelSchema } from "../ari/ari-schemas.ts";
import { recordingName } from "../ari/recordings.ts";

export const BRIDGE_PREFIX = "bridge_";
export const MEDIA_PREFIX = "media_";
const BRIDGE_TRIES = 100;
const BRIDGE_PAUSE_MILLIS = 10;
/** Asterisk itself ends a recording that nobody ends. */
const LONGEST_RECORDING_SECONDS = 4 * 3_600;

export type TalkDeps = {
  readonly ari: AriClient;
  readonly app: string;
  readonly logger: Logger;
  /** The audio of a channel; `path` below the root of Asterisk's server. null: it cannot be opened. */
  readonly openLeg: (path: string, hangUp: () => void) => Promise<AudioLeg | null>;
  /** Its conversation; refused: there is no such live call. */
  readonly converse: (callId: CallId, leg: AudioLeg) => Promise<"taken" | "refused">;
  readonly hangUp: (callId: CallId) => void;
  readonly sleep: (millis: number) => Promise<void>;
};

/** `recorded`: a recording is running. */
export type OpenedTalk =
  | { readonly kind: "open"; readonly recorded: boolean }
  /** `line`: the channel is gone or cannot be bridged. `conversation`: none is possible. */
  | { readonly kind: "failed"; readonly at: "media" | "line" | "conversation" };

/**
 * Bridges an answered channel with a media channel and gives its audio to the conversation. `onLost`: the
 * audio broke off while the call may go on.
 */
export async function openTalk(
  deps: TalkDeps,
  {
    callId,
    record,
    onLost,
  }: { readonly callId: CallId; readonly record: boolean; readonly onLost: () => void },
): Promise<OpenedTalk> {
  const { ari, app, hangUp } = deps;
  const bridge = `${BRIDGE_PREFIX}${callId}`;
  // A new id each time: Asterisk 22.10 crashes when a channel with the same id still exists.
  const media = `${MEDIA_PREFIX}${callId}-${randomBytes(4).toString("hex")}`;
  const connection = await makeMediaChannel(ari, app, media);
  if (connection === null) return { kind: "failed", at: "media" };
  const leg = await deps.openLeg(`/media/${connection}`, () => hangUp(callId));
  if (leg === null) return { kind: "failed", at: "media" };
  await ari.request({ method: "POST", path: `/bridges/${bridge}`, query: { type: "mixing" } });
  const subscription = { eventSource: `bridge:${bridge}` };
  await ari.request({ method: "POST", path: `/applications/${app}/subscription`, query: subscription });
  for (const channel of [callId, media]) {
    if (await isAdded(deps, bridge, channel)) continue;
    await ari.request({ method: "DELETE", path: `/channels/${media}` });
    return { kind: "failed", at: "line" };
  }
  const recorded = record && (await isRecorded(ari, bridge, callId));
  const taken = await deps.converse(callId, watched(leg, onLost));
  return taken === "taken" ? { kind: "open", recorded } : { kind: "failed", at: "conversation" };
}

/** Destroys the bridge; that ends the media channel and the recording. */
export async function closeTalk(ari: Pick<AriClient, "request">, callId: CallId): Promise<void> {
  const path = `/bridges/${BRIDGE_PREFIX}${callId}`;
  const answer = await ari.request({ method: "GET", path });
  const channels = channelsOf(answer).filter((id) => id.startsWith(MEDIA_PREFIX));
  for (const channel of channels) await ari.request({ method: "DELETE", path: `/channels/${channel}` });
  await ari.request({ method: "DELETE", path });
}

function channelsOf(answer: AriAnswer): readonly string[] {
  if (answer.kind === "failed" || typeof answer.body !== "object" || answer.body === null) return [];
  const { channels } = answer.body as { channels?: unknown };
  return Array.isArray(channels) ? channels.filter((id): id is string => typeof id === "string") : [];
}

async function makeMediaChannel(ari: AriClient, app: string, channelId: string): Promise<string | null> {
  const answer = await ari.request({
    method: "POST",
    path: "/channels/externalMedia",
    query: {
      app,
      channelId,
      external_host: "INCOMING",
      encapsulation: "none",
      transport: "websocket",
      connection_type: "server",
      format: "ulaw",
      transport_data: "f(json)",
    },
  });
  if (answer.kind === "failed") return null;
  const made = mediaChannelSchema.safeParse(answer.body);
  return answer.status === 200 && made.success ? made.data.channelvars.MEDIA_WEBSOCKET_CONNECTION_ID : null;
}

/** A media channel enters our application shortly after its socket is open (422 until then). */
async function isAdded({ ari, sleep }: TalkDeps, bridge: string, channel: string): Promise<boolean> {
  for (let left = BRIDGE_TRIES; left > 0; left -= 1) {
    const path = `/bridges/${bridge}/addChannel`;
    const answer = await ari.request({ method: "POST", path, query: { channel } });
    if (answer.kind === "failed") return false;
    if (answer.status < 300) return true;
    if (answer.status !== 422 && answer.status !== 409) return false;
    await sleep(BRIDGE_PAUSE_MILLIS);
  }
  return false;
}

/** A recording that a dead process began goes on. */
async function isRecorded(ari: AriClient, bridge: string, callId: CallId): Promise<boolean> {
  const name = recordingName(callId);
  const query = {
    name,
    format: "wav",
    ifExists: "fail",
    maxDurationSeconds: String(LONGEST_RECORDING_SECONDS),
  };
  const answer = await ari.request({ method: "POST", path: `/bridges/${bridge}/record`, query });
  return answer.kind === "answered" && (answer.status === 201 || answer.status === 409);
}

function watched(leg: AudioLeg, onLost: () => void): AudioLeg {
  return {
    ...leg,
    listen: (listener: AudioListener) =>
      leg.listen({
        ...listener,
        closed: (cause) => {
          listener.closed(cause);
          onLost();
        },
      }),
  };
}
