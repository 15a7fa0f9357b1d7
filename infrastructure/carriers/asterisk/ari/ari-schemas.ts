import { z } from "zod";

export const infoSchema = z.object({ system: z.object({ version: z.string() }) });
export const pingSchema = z.object({ timestamp: z.string() });
export const variableSchema = z.object({ value: z.string() });

export const channelSchema = z.object({
  id: z.string(),
  state: z.string(),
  dialplan: z.object({ app_name: z.string().default(""), app_data: z.string().default("") }).optional(),
});
export type AriChannel = z.infer<typeof channelSchema>;
export const channelsSchema = z.array(channelSchema);

export const bridgesSchema = z.array(z.object({ id: z.string() }));
export const moduleSchema = z.object({ status: z.string() });
export const endpointSchema = z.object({ state: z.string().optional() });
/** An object of pjsip.conf. */
export const attributesSchema = z.array(z.object({ attribute: z.string(), value: z.string() }));
export const mediaChannelSchema = z.object({
  id: z.string(),
  channelvars: z.object({ MEDIA_WEBSOCKET_CONNECTION_ID: z.string() }),
});

const timestamp = z.string();
const channel = channelSchema;

/** The only events of Asterisk that are subscribed to and read. */
export const ariEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ChannelStateChange"), timestamp, channel }),
  z.object({ type: z.literal("StasisStart"), timestamp, channel }),
  z.object({ type: z.literal("ChannelHangupRequest"), timestamp, channel, cause: z.number().optional() }),
  z.object({ type: z.literal("ChannelDestroyed"), timestamp, channel, cause: z.number() }),
  z.object({
    type: z.literal("RecordingFinished"),
    timestamp,
    recording: z.object({ name: z.string() }),
  }),
  z.object({
    type: z.literal("RecordingFailed"),
    timestamp,
    recording: z.object({ name: z.string() }),
  }),
  z.object({ type: z.literal("ChannelUserevent"), timestamp, eventname: z.string() }),
]);
export type AriEvent = z.infer<typeof ariEventSchema>;
export const READ_EVENTS = ariEventSchema.options.map(({ shape }) => shape.type.value);
