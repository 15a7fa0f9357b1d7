import { subscribe } from "node:diagnostics_channel";
import { Socket } from "node:net";

/** More interim answers (1xx) before one final answer end the connection. */
const MOST_INTERIM_ANSWERS = 20;
/** `?`: any byte. What follows says whether the answer is an interim one. */
const HEAD = [..."HTTP/1.? "].map((letter) => (letter === "?" ? null : letter.charCodeAt(0)));
const END = [..."\r\n\r\n"].map((letter) => letter.charCodeAt(0));
const ZERO = "0".charCodeAt(0);
const ONE = "1".charCodeAt(0);
const TWO = "2".charCodeAt(0);

/** How far an answer is read, byte by byte: `at` counts the bytes of the part. */
type Reading = {
  part: "head" | "status" | "interim" | "final";
  at: number;
  isContinue: boolean;
  interim: number;
};

const readings = new WeakMap<Socket, Reading>();

/**
 * undici ends the connection at a `100 Continue` that it did not ask for, where a client must read any number
 * of 1xx before the answer (RFC 9110 §15.2); it passes over the other interim answers. So a 100 becomes a 102
 * on its way in. For sockets without pipelining, which is how all of ours are used.
 */
export function passOverContinue(socket: Socket): void {
  readings.set(socket, { part: "final", at: 0, isContinue: false, interim: 0 });
  const push = socket.push.bind(socket);
  socket.push = (chunk: unknown, encoding?: BufferEncoding) => {
    const reading = readings.get(socket);
    if (reading === undefined || !Buffer.isBuffer(chunk)) return push(chunk, encoding);
    if (read(reading, chunk)) return push(chunk, encoding);
    socket.destroy(new Error("too many interim answers"));
    return false;
  };
}

/** undici tells it right before the first byte of each request: an answer is awaited from here on. */
subscribe("undici:client:sendHeaders", (message) => {
  if (typeof message !== "object" || message === null || !("socket" in message)) return;
  const reading = message.socket instanceof Socket ? readings.get(message.socket) : undefined;
  if (reading === undefined) return;
  reading.interim = 0;
  go(reading, "head");
});

function go(reading: Reading, part: Reading["part"]): void {
  reading.part = part;
  reading.at = 0;
}

/** Changes the chunk in its place. False: too many interim answers. */
function read(reading: Reading, chunk: Buffer): boolean {
  for (let index = 0; index < chunk.length && reading.part !== "final"; index += 1) {
    const byte = chunk[index] ?? 0;
    if (reading.part === "head") readHead(reading, byte);
    else if (reading.part === "interim") readInterim(reading, byte);
    else if (readStatus(reading, byte)) chunk[index] = TWO;
    if (reading.interim > MOST_INTERIM_ANSWERS) return false;
  }
  return true;
}

function readHead(reading: Reading, byte: number): void {
  const wanted = HEAD[reading.at];
  reading.at += 1;
  if (wanted !== null && wanted !== byte) go(reading, "final");
  else if (reading.at === HEAD.length) go(reading, "status");
}

/** True: this is the last byte of `100`. */
function readStatus(reading: Reading, byte: number): boolean {
  reading.at += 1;
  if (reading.at === 1) {
    if (byte !== ONE) go(reading, "final");
    reading.isContinue = true;
    return false;
  }
  reading.isContinue &&= byte === ZERO;
  if (reading.at < 3) return false;
  go(reading, "interim");
  reading.interim += 1;
  return reading.isContinue;
}

function readInterim(reading: Reading, byte: number): void {
  if (byte === END[reading.at]) reading.at += 1;
  else reading.at = byte === END[0] ? 1 : 0;
  if (reading.at === END.length) go(reading, "head");
}
