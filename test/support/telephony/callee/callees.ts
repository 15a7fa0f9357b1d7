import { createSocket } from "node:dgram";
import { type LineCodec, MU_LAW } from "./line-codec.ts";
import { openPhoneLine, type PhoneLine, wallMillis } from "./phone-line.ts";
import { answerTo, audioPortOf, parseRequest, type SipRequest, sessionOn } from "./sip-message.ts";

/** Somebody who was called. */
export type Callee = {
  readonly number: string;
  readonly line: PhoneLine;
  /** When our side answered, and when Asterisk acknowledged it; null: not yet. */
  readonly answeredAt: number | null;
  readonly upAt: number | null;
  readonly isOver: boolean;
};

/** A SIP provider behind which real telephones answer at once, speak, listen and keep what they heard. */
export type Callees = {
  readonly port: number;
  readonly calls: readonly Callee[];
  close(): Promise<void>;
};

type Answering = { -readonly [Key in keyof Callee]: Callee[Key] };

export async function startCallees(codec: LineCodec = MU_LAW): Promise<Callees> {
  const socket = createSocket("udp4");
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  const { port } = socket.address();
  const calls = new Map<string, Promise<Answering>>();
  const answered: Answering[] = [];
  const answering = async (number: string): Promise<Answering> => {
    const line = await openPhoneLine(codec);
    const callee = { number, line, answeredAt: null, upAt: null, isOver: false };
    answered.push(callee);
    return callee;
  };
  const obey = async (request: SipRequest, reply: (status: string, session?: string) => void) => {
    const { method, number, callId, body } = request;
    if (method === "OPTIONS") return reply("200 OK");
    if (method === "INVITE" && number !== null && !calls.has(callId)) calls.set(callId, answering(number));
    const callee = await calls.get(callId);
    if (callee === undefined) return method === "ACK" ? undefined : reply("481 No such call");
    if (method === "ACK") callee.upAt ??= wallMillis();
    else if (method === "INVITE") {
      reply("180 Ringing");
      callee.line.sendTo(audioPortOf(body));
      callee.answeredAt ??= wallMillis();
      reply("200 OK", sessionOn(callee.line.port, codec));
    } else {
      callee.isOver ||= method === "BYE";
      reply("200 OK");
    }
  };
  socket.on("message", (message, from) => {
    const request = parseRequest(message.toString("utf8"));
    if (request === null) return;
    const dialog = { tag: `callee-${request.callId}`, port };
    void obey(request, (status, session = "") =>
      socket.send(answerTo(request, status, { ...dialog, session }), from.port, from.address),
    );
  });
  return {
    port,
    calls: answered,
    close: async () => {
      await Promise.all(calls.values());
      for (const { line } of answered) line.close();
      await new Promise<void>((resolve) => socket.close(resolve));
    },
  };
}
