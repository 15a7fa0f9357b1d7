import { z } from "zod";

/** JSON events of chan_websocket (transport_data f(json)); docs.asterisk.org, WebSocket channel driver. */
const event = z.discriminatedUnion("event", [
  z.object({ event: z.literal("MEDIA_START"), format: z.string() }),
  z.object({ event: z.literal("MEDIA_MARK_PROCESSED"), correlation_id: z.string() }),
  /** In frames of 20 ms. */
  z.object({ event: z.literal("STATUS"), queue_length: z.number().int().min(0).max(100_000) }),
  z.object({ event: z.literal("DTMF_END"), digit: z.string().regex(/^[0-9*#A-D]$/) }),
  z.object({ event: z.literal("MEDIA_XOFF") }),
  z.object({ event: z.literal("MEDIA_XON") }),
]);
const anything = z.object({ event: z.string() });

export type MediaEvent = z.infer<typeof event>;

const KNOWN = new Set(event.options.map(({ shape }) => shape.event.value as string));

/** unknown: an event that we do not use. malformed: not an event. */
export function parseMediaEvent(text: string): MediaEvent | "unknown" | "malformed" {
  const value = parsed(text);
  const known = event.safeParse(value);
  if (known.success) return known.data;
  const named = anything.safeParse(value);
  return named.success && !KNOWN.has(named.data.event) ? "unknown" : "malformed";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** At most 128 bytes as text: Asterisk drops longer ones. */
export type MediaCommand =
  | {
      readonly command:
        | "START_MEDIA_BUFFERING"
        | "STOP_MEDIA_BUFFERING"
        | "PAUSE_MEDIA"
        | "CONTINUE_MEDIA"
        | "GET_STATUS"
        | "FLUSH_MEDIA"
        | "HANGUP";
    }
  | { readonly command: "MARK_MEDIA"; readonly correlation_id: string };
