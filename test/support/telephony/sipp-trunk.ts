import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { freeUdpPort, rtpRange } from "./free-ports.ts";
import { handOver, peerFolder, removeFolder, startPeer } from "./peer-process.ts";

/** A SIP provider that does with each number what the number says, and counts every INVITE. */
export type SippTrunk = {
  readonly port: number;
  /** How often this number was called. */
  invites(number: PhoneNumber): number;
  /** Whether Asterisk has told what became of the transfer of this number's call. */
  transferred(number: PhoneNumber): boolean;
  /** Every number that was called, with how often. */
  journal(): ReadonlyMap<string, number>;
  close(): Promise<void>;
};

/**
 * What is answered: a final SIP code; 180: rings until it is given up; 183: early media, then an answer; 200:
 * answers; 201: answers and hangs up a second later; 202: answers and hands the call over to `ELSEWHERE`
 * (REFER). A 3xx names `ELSEWHERE` as well, after ringing.
 */
export type Answer = number;

/** An extension of every Asterisk of a test, behind its trunks; who gets there is noted in `FOLLOWED`. */
export const ELSEWHERE = "elsewhere";
export const FOLLOWED = "FOLLOWED";

/** A number of its own for each call. */
export function numberAnswering(code: Answer): PhoneNumber {
  given += 1;
  return `+1500${code}${String(process.pid % 1_000).padStart(3, "0")}${String(given).padStart(4, "0")}`;
}
let given = 0;

/** `port`: where one listened before; else a free one. */
export async function startSipp(port?: number): Promise<SippTrunk> {
  const folder = peerFolder("sipp");
  const sip = port ?? (await freeUdpPort());
  const journal = join(folder, "journal.log");
  const scenario = join(folder, "trunk.xml");
  writeFileSync(scenario, scenarioText());
  handOver(folder);
  const running = startPeer(
    "usr/bin/sipp",
    [
      ...["-sf", scenario, "-nostdin", "-rtp_echo"],
      // Requests of Asterisk may overtake each other; what is not taken is sent again.
      ...["-default_behaviors", "all,-abortunexp"],
      ...["-i", "127.0.0.1", "-p", String(sip), "-mi", "127.0.0.1", "-mp", String(rtpRange(40).first)],
      ...["-trace_logs", "-log_file", journal],
    ],
    folder,
  );
  await eventually("sipp to listen", () => {
    if (running.child.exitCode !== null)
      throw new Error(`sipp ended at once: ${readFileSync(running.log, "utf8").slice(-500)}`);
    return isBound(sip);
  });
  const read = () => {
    const counts = new Map<string, number>();
    for (const [, number] of readFileSync(journal, { encoding: "utf8", flag: "a+" }).matchAll(
      /INVITE (\+\d+)/g,
    ))
      if (number !== undefined) counts.set(number, (counts.get(number) ?? 0) + 1);
    return counts;
  };
  const transferred = (number: PhoneNumber) =>
    readFileSync(journal, { encoding: "utf8", flag: "a+" }).includes(`TRANSFER OVER ${number}`);
  return {
    port: sip,
    journal: read,
    transferred,
    invites: (number) => read().get(number) ?? 0,
    close: async () => {
      running.signal("SIGKILL");
      await running.exited;
      removeFolder(folder);
    },
  };
}

const REDIRECTIONS = [300, 301, 302, 305, 380];
/** The codes that a number may have refused: sipp has each answer written out. */
const REFUSALS = [
  ...REDIRECTIONS,
  403,
  404,
  407,
  408,
  410,
  480,
  484,
  486,
  487,
  488,
  500,
  502,
  503,
  504,
  600,
  603,
  604,
  606,
  607,
  608,
];

function scenarioText(): string {
  const text = readFileSync(join(import.meta.dirname, "scenarios/trunk.xml"), "utf8");
  const each = (write: (code: number) => string) => REFUSALS.map(write).join("\n");
  return text
    .replace(
      "<!-- JUDGED -->",
      each(
        (code) =>
          `<strcmp assign_to="d${code}" variable="code" value="${code}"/><test assign_to="is${code}" variable="d${code}" compare="equal" value="0"/>`,
      ),
    )
    .replace(
      "<!-- CHOSEN -->",
      each((code) => `<nop next="refuse${code}" test="is${code}"/>`),
    )
    .replace("<!-- REFUSALS -->", each(refusal))
    .replaceAll("<!-- ELSEWHERE -->", ELSEWHERE);
}

function refusal(code: number): string {
  const head = [
    "[last_Via:]",
    "[last_From:]",
    "[last_To:];tag=[call_number]",
    "[last_Call-ID:]",
    "[last_CSeq:]",
  ];
  const elsewhere = REDIRECTIONS.includes(code)
    ? [`Contact: <sip:${ELSEWHERE}@[local_ip]:[local_port]>`]
    : [];
  const ringing =
    elsewhere.length === 0
      ? ""
      : `<send><![CDATA[\n${["SIP/2.0 180 Ringing", ...head, "Content-Length: 0", "", ""].join("\n")}]]></send><pause milliseconds="100"/>`;
  const answer = [`SIP/2.0 ${code} Refused`, ...head, ...elsewhere, "Content-Length: 0", "", ""].join("\n");
  return `<label id="refuse${code}"/>${ringing}<send retrans="500"><![CDATA[\n${answer}]]></send><recv request="ACK" next="over"/>`;
}

function isBound(port: number): boolean {
  const hex = `:${port.toString(16).toUpperCase().padStart(4, "0")} `;
  return readFileSync("/proc/net/udp", "utf8").includes(`0100007F${hex}`);
}
