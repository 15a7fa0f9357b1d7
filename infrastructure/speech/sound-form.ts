import { garbage } from "./speech-failure.ts";

/** Sample rate of response_format pcm, where a server names none. */
const USUAL_RATE = 24_000;
/** Other rates are no sound of a voice. */
const RATES: ReadonlySet<number> = new Set([
  8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000,
]);
const OTHER_SOUND =
  /json|html|text|mpeg|mp3|mp4|m4a|aac|ogg|opus|vorbis|webm|matroska|wav|flac|aiff|basic|amr/i;

/** The rate of the samples that a server announces; throws for all else than samples of one channel. */
export function announcedRate(contentType: string): number {
  if (OTHER_SOUND.test(contentType))
    throw garbage("The speech server did not answer with samples (response_format pcm)");
  const [, named] = /\b(?:sample-?_?)?rate\s*=\s*"?(\d{1,6})\b/i.exec(contentType) ?? [];
  const rate = named === undefined ? USUAL_RATE : Number(named);
  if (!RATES.has(rate)) throw garbage("The speech server sends samples of a rate that is none of speech");
  const [, channels = "1"] = /\bchannels\s*=\s*"?(\d{1,3})\b/i.exec(contentType) ?? [];
  if (channels !== "1") throw garbage("The speech server sends more than one channel");
  return rate;
}

/** So many bytes tell samples from a file. */
export const TELLING_BYTES = 12;

const BEGINNINGS =
  /^(?:RIFF|RIFX|OggS|fLaC|ID3|FORM|caff|\.snd|#!AMR|.E\xdf\xa3|....ftyp|\{\s{0,4}"|<[!?h])/s;

/** Some servers have no pcm, and send a file in place of samples without saying so. */
export function refuseFile(head: Uint8Array): void {
  const letters = Buffer.from(head.subarray(0, TELLING_BYTES)).toString("latin1");
  if (BEGINNINGS.test(letters) || isFrame(head))
    throw garbage("The speech server sent a file in place of samples");
}

/**
 * A frame of MP3 (layer III) or AAC (ADTS). As samples these bytes would be a sound that begins with a bang,
 * which no voice does: the first sample would be below -1,000, and others than these begin near 0.
 */
function isFrame([first = 0, second = 0, third = 0]: Uint8Array): boolean {
  if (first !== 0xff) return false;
  const isMp3 =
    (second & 0xe6) === 0xe2 && (second & 0x18) !== 0x08 && third >> 4 !== 0xf && (third & 0xc) !== 0xc;
  const isAac = (second & 0xf6) === 0xf0 && ((third >> 2) & 0xf) < 13;
  return isMp3 || isAac;
}
