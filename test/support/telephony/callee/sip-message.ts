import type { LineCodec } from "./line-codec.ts";

/** As much of a SIP request (RFC 3261) as a telephone on loopback must read. */
export type SipRequest = {
  readonly method: string;
  /** Who is called; null: the address is no telephone number. */
  readonly number: string | null;
  readonly callId: string;
  /** The lines that an answer repeats, but To. */
  readonly repeated: readonly string[];
  readonly to: string;
  readonly body: string;
};

const REPEATED = /^(via|from|call-id|cseq|record-route):/i;

/** null: no request. */
export function parseRequest(text: string): SipRequest | null {
  const [head = "", body = ""] = text.split("\r\n\r\n", 2);
  const [first = "", ...lines] = head.split("\r\n");
  const [, method, address = ""] = /^([A-Z]+) (\S+) SIP\/2\.0$/.exec(first) ?? [];
  const valueIn = (name: string) =>
    lines
      .find((line) => line.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim() ?? "";
  if (method === undefined) return null;
  return {
    method,
    number: /^sip:(\+\d+)@/.exec(address)?.[1] ?? null,
    callId: valueIn("call-id"),
    repeated: lines.filter((line) => REPEATED.test(line)),
    to: valueIn("to"),
    body,
  };
}

/** `tag` is ours of the dialog; `session` is SDP. */
export function answerTo(
  { repeated, to }: SipRequest,
  status: string,
  { tag, port, session = "" }: { readonly tag: string; readonly port: number; readonly session?: string },
): string {
  return [
    `SIP/2.0 ${status}`,
    ...repeated,
    `To: ${to.includes(";tag=") ? to : `${to};tag=${tag}`}`,
    `Contact: <sip:127.0.0.1:${port}>`,
    ...(session === "" ? [] : ["Content-Type: application/sdp"]),
    `Content-Length: ${session.length}`,
    "",
    session,
  ].join("\r\n");
}

/** G.711 and the keys of RFC 4733, received at this port. */
export function sessionOn(rtpPort: number, { payloadType, name }: LineCodec): string {
  return [
    "v=0",
    "o=- 1 1 IN IP4 127.0.0.1",
    "s=-",
    "c=IN IP4 127.0.0.1",
    "t=0 0",
    `m=audio ${rtpPort} RTP/AVP ${payloadType} 101`,
    `a=rtpmap:${payloadType} ${name}/8000`,
    "a=rtpmap:101 telephone-event/8000",
    "a=fmtp:101 0-16",
    "a=ptime:20",
    "",
  ].join("\r\n");
}

/** Where the other side of a session hears. */
export function audioPortOf(session: string): number {
  return Number(/^m=audio (\d+) /m.exec(session)?.[1] ?? 0);
}
