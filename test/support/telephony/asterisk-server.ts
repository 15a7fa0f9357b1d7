import { readFileSync } from "node:fs";
import { freePort } from "../../../infrastructure/postgres/embedded/free-port.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { ARI_PASSWORD, ARI_USER, type Trunk, writeAsteriskConfig } from "./asterisk-config.ts";
import { freeUdpPort, rtpRange } from "./free-ports.ts";
import { handOver, type PeerProcess, peerFolder, peers, removeFolder, startPeer } from "./peer-process.ts";

/** A real Asterisk on loopback, with the dialplan that is shipped. */
export type AsteriskServer = {
  readonly url: string;
  readonly httpPort: number;
  readonly user: string;
  readonly password: string;
  /** One request as an operator's tool would make it. */
  ari(
    method: string,
    path: string,
    query?: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; readonly body: unknown }>;
  /** Of the process that runs now. */
  readonly pid: () => number;
  freeze(): void;
  thaw(): void;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** After `kill`, as it was configured. */
  startAgain(): Promise<void>;
  close(): Promise<void>;
};

/** Each call of a trunk takes two of the `rtpPorts`. */
export async function startAsterisk(trunks: readonly Trunk[], rtpPorts = 400): Promise<AsteriskServer> {
  const folder = peerFolder("asterisk");
  const [sipPort, httpPort] = [await freeUdpPort(), await freePort()];
  const config = writeAsteriskConfig(peers(), { folder, sipPort, httpPort, rtp: rtpRange(rtpPorts), trunks });
  handOver(folder);
  const url = `http://127.0.0.1:${httpPort}`;
  const authorization = `Basic ${btoa(`${ARI_USER}:${ARI_PASSWORD}`)}`;
  const ari: AsteriskServer["ari"] = async (method, path, query = {}) => {
    const answer = await fetch(`${url}/ari${path}?${new URLSearchParams(query)}`, {
      method,
      headers: { authorization },
      signal: AbortSignal.timeout(5_000),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === "" ? null : JSON.parse(text) };
  };
  const start = async (): Promise<PeerProcess> => {
    const started = startPeer("usr/sbin/asterisk", ["-C", config, "-f", "-n"], folder);
    await eventually("Asterisk to be ready", () => isReady(started));
    return started;
  };
  let running = await start();
  return {
    url,
    httpPort,
    user: ARI_USER,
    password: ARI_PASSWORD,
    ari,
    pid: () => running.child.pid ?? 0,
    freeze: () => running.signal("SIGSTOP"),
    thaw: () => running.signal("SIGCONT"),
    kill: async () => {
      running.signal("SIGKILL");
      await running.exited;
    },
    startAgain: async () => {
      running = await start();
    },
    close: async () => {
      await running.stop();
      removeFolder(folder);
    },
  };
}

function isReady({ child, log }: PeerProcess): boolean {
  const said = readFileSync(log, { encoding: "utf8", flag: "a+" });
  if (child.exitCode !== null)
    throw new Error(`Asterisk ended at once: ${said.trim().split("\n").at(-1) ?? ""}`);
  return said.includes("Asterisk Ready");
}
