import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  createWriteStream,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { PEERS, type Peers } from "./peers.ts";

/** Who runs them when we are root: Asterisk is not run as root. */
function unprivileged(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const line = readFileSync("/etc/passwd", "utf8").match(/^nobody:[^:]*:(\d+):(\d+):/m);
  if (line === null) throw new Error("there is no user nobody to run the telephony peers");
  return { uid: Number(line[1]), gid: Number(line[2]) };
}

const IDENTITY = unprivileged();

export function peers(): Peers {
  if (PEERS === null)
    throw new Error("The telephony peers are not on this machine: .ci/telephony fetches them");
  return PEERS;
}

/** A folder that the peers may write to. */
export function peerFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `ringfold-${name}-`));
  chmodSync(folder, 0o755);
  return folder;
}

/** To whoever runs the peers, with all that is in it. */
export function handOver(folder: string): void {
  if (IDENTITY === null) return;
  chownSync(folder, IDENTITY.uid, IDENTITY.gid);
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    lchownSync(join(folder, name), IDENTITY.uid, IDENTITY.gid);
}

export type PeerProcess = {
  readonly child: ChildProcess;
  readonly log: string;
  /** Ends it with SIGTERM, and with SIGKILL when that does nothing for 3 s. */
  stop(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** Resolves when it is gone. */
  readonly exited: Promise<void>;
};

/** A program below the peers' root, by their own loader. */
export function startPeer(program: string, args: readonly string[], folder: string): PeerProcess {
  const { root, loader, libraries } = peers();
  mkdirSync(folder, { recursive: true });
  const log = join(folder, "output.log");
  const output = createWriteStream(log);
  const env = { HOME: folder, PATH: process.env["PATH"] ?? "", LC_ALL: "C.UTF-8", TERM: "dumb" };
  const child = spawn(
    loader,
    ["--inhibit-cache", "--library-path", libraries, join(root, program), ...args],
    { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"], ...(IDENTITY ?? {}) },
  );
  child.stdout.pipe(output, { end: false });
  child.stderr.pipe(output, { end: false });
  const exited = once(child, "exit").then(() => undefined);
  return {
    child,
    log,
    exited,
    signal: (signal) => void child.kill(signal),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGCONT");
      child.kill("SIGTERM");
      const late = setTimeout(() => child.kill("SIGKILL"), 3_000);
      await exited;
      clearTimeout(late);
      output.end();
    },
  };
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
