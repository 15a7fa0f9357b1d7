import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { z } from "zod";
import type { ServerUser } from "../../../../infrastructure/postgres/embedded/server-user.ts";

const answerShape = z.union([
  z.object({
    pid: z.number(),
    connection: z.object({ host: z.string(), port: z.number(), user: z.string(), database: z.string() }),
  }),
  z.object({ code: z.string(), message: z.string() }),
]);

export type HolderOptions = {
  dataDir: string;
  fsync?: boolean;
  packageFolder?: string;
  templates?: string;
  fillsForever?: boolean;
};

/** A process of its own that starts the server; `said` is its one line, `ended` its exit code and signal. */
export type Holder = {
  readonly process: ChildProcess;
  readonly said: Promise<z.infer<typeof answerShape>>;
  readonly ended: Promise<{ code: number | null; signal: string | null }>;
};

export function startHolder(options: HolderOptions, user: ServerUser | null = null): Holder {
  const program = join(import.meta.dirname, "holder-program.ts");
  const child = spawn(process.execPath, [program, JSON.stringify({ fsync: false, ...options })], {
    ...(user === null ? {} : { uid: user.uid, gid: user.gid }),
    cwd: "/",
    env: {},
    stdio: ["ignore", "pipe", "inherit"],
  });
  const said = firstLine(child.stdout).then((line) => answerShape.parse(JSON.parse(line)));
  said.catch(() => undefined);
  const ended = once(child, "exit").then(([code, signal]) =>
    z.object({ code: z.number().nullable(), signal: z.string().nullable() }).parse({ code, signal }),
  );
  return { process: child, said, ended };
}

/** The holder's server; throws what the holder said when it has none. */
export async function serverOf(holder: Holder) {
  const said = await holder.said;
  if ("code" in said) throw new Error(said.message);
  return said;
}

/** Rejects when the stream ends without one: the process was killed before it had anything to say. */
async function firstLine(stream: Readable): Promise<string> {
  for await (const line of createInterface(stream)) return line;
  throw new Error("the holder ended without a word");
}
