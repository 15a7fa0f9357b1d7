import { createSocket } from "node:dgram";
import type { MuLaw } from "../../../../application/ports/speech.ts";
import { FRAME_MILLIS, SILENCE } from "../../../../application/voice/audio/mu-law.ts";
import { framesOf } from "../../speech/sounds.ts";
import type { LineCodec } from "./line-codec.ts";

/** Milliseconds that processes of one machine share. */
export const wallMillis = (): number => performance.timeOrigin + performance.now();

/** One packet as the telephone plays it, and when it came. */
export type HeardPacket = { readonly at: number; readonly audio: MuLaw };

/**
 * The sound of one call at the callee: G.711 in RTP (RFC 3550, 3551), a packet each 20 ms; heard and said as
 * µ-law, whatever the line speaks.
 */
export type PhoneLine = {
  readonly port: number;
  /** Everything that was heard. */
  readonly heard: readonly HeardPacket[];
  /** Says it from the next packet on; resolves with the moment at which its first packet left. */
  speak(sound: MuLaw): Promise<number>;
  /** Presses a key for 100 ms, behind what is being said (RFC 4733). */
  press(digit: string): void;
  /** The other side hears at this port from now on. */
  sendTo(port: number): void;
  close(): void;
};

type Outgoing = { readonly type: number; readonly payload: Uint8Array; readonly left?: () => void };

const KEY = 101;
const FRAME_SAMPLES = 160;
const QUIET = new Uint8Array(FRAME_SAMPLES).fill(SILENCE);
const KEYS = "0123456789*#ABCD";
/** Packets of a key, the last three of which say that it is over. */
const KEY_PACKETS = 5;
const KEY_ENDS = 3;

export async function openPhoneLine(codec: LineCodec): Promise<PhoneLine> {
  const socket = createSocket("udp4");
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  const heard: HeardPacket[] = [];
  const outgoing: Outgoing[] = [];
  let remote: number | null = null;
  let sequence = 0;
  let keyBegan = 0;
  let due = wallMillis();
  socket.on("message", (packet) => {
    if ((packet[1] ?? 0) % 128 !== codec.payloadType) return;
    heard.push({ at: wallMillis(), audio: codec.heard(packet.subarray(12)) });
  });
  const send = (port: number, { type, payload }: Outgoing) => {
    const timestamp = sequence * FRAME_SAMPLES;
    const header = Buffer.alloc(12);
    // All packets of a key tell the moment at which it was pressed.
    if (type === KEY && payload[3] === FRAME_SAMPLES) keyBegan = timestamp;
    header.writeUInt8(0x80);
    header.writeUInt8(type, 1);
    header.writeUInt16BE(sequence % 65_536, 2);
    header.writeUInt32BE(type === KEY ? keyBegan : timestamp, 4);
    header.writeUInt32BE(1, 8);
    sequence += 1;
    socket.send(Buffer.concat([header, payload]), port, "127.0.0.1");
  };
  const ticking = setInterval(() => {
    for (; due <= wallMillis(); due += FRAME_MILLIS) {
      if (remote === null) continue;
      const next = outgoing.shift() ?? { type: codec.payloadType, payload: codec.onTheLine(QUIET) };
      send(remote, next);
      next.left?.();
    }
  }, FRAME_MILLIS / 4);
  return {
    port: socket.address().port,
    heard,
    speak: (sound) =>
      new Promise((resolve) => {
        const left = () => resolve(wallMillis());
        for (const [at, payload] of framesOf(sound).entries())
          outgoing.push({
            type: codec.payloadType,
            payload: codec.onTheLine(payload),
            ...(at === 0 ? { left } : {}),
          });
      }),
    press: (digit) => outgoing.push(...keyPackets(digit)),
    sendTo: (port) => {
      remote = port;
    },
    close: () => {
      clearInterval(ticking);
      socket.close();
    },
  };
}

function keyPackets(digit: string): Outgoing[] {
  return Array.from({ length: KEY_PACKETS + KEY_ENDS }, (_, at) => {
    const duration = Math.min(at + 1, KEY_PACKETS) * FRAME_SAMPLES;
    const payload = Buffer.from([KEYS.indexOf(digit), at < KEY_PACKETS ? 10 : 0x80 + 10, 0, 0]);
    payload.writeUInt16BE(duration, 2);
    return { type: KEY, payload };
  });
}
