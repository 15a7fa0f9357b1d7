import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { z } from "zod";
import { EmbeddedPostgresError, systemErrorCode } from "./embedded-postgres-error.ts";
import { readProcess } from "./process-info.ts";

const connectionShape = z.object({
  host: z.string(),
  port: z.number(),
  user: z.string(),
  database: z.string(),
  password: z.string().exactOptional(),
});

const ownerShape = z.object({
  token: z.string(),
  pid: z.number(),
  startMark: z.string(),
  program: z.string(),
  connection: connectionShape.nullable(),
});

/** `host` is the folder of the socket, or 127.0.0.1. */
export type Connection = Readonly<z.infer<typeof connectionShape>>;
/** The holder of a DATA_DIR; `connection` is null until its server answers queries. */
export type Owner = Readonly<z.infer<typeof ownerShape>>;

export type Ownership = {
  /** Publishes the connection, so that other programs of this DATA_DIR find the server. */
  publish(connection: Connection): void;
  release(): void;
};

/**
 * Takes the DATA_DIR for this process, or refuses with `held`, naming its holder. An owner that died, also by
 * kill -9, holds nothing. If two processes take over from the same dead owner at the same moment,
 * PostgreSQL's own lock decides.
 */
export function takeOwnership(file: string, dataDir: string): Ownership {
  const mine = thisProcess();
  const draft = `${file}.${mine.token}`;
  writeFileSync(draft, JSON.stringify(mine), { mode: 0o600 });
  try {
    // A link is atomic and never replaces a file: readers see it complete.
    while (!linkedTo(draft, file)) {
      const owner = readOwner(file);
      if (owner !== null && isAlive(owner)) throw heldBy(owner, dataDir);
      takeAway(file, owner?.token ?? null);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return {
    publish: (connection) => {
      writeFileSync(draft, JSON.stringify({ ...mine, connection }), { mode: 0o600 });
      renameSync(draft, file);
    },
    release: () => {
      if (readOwner(file)?.token === mine.token) rmSync(file, { force: true });
    },
  };
}

/** The living owner of a DATA_DIR, or null. */
export function livingOwner(file: string): Owner | null {
  const owner = readOwner(file);
  return owner !== null && isAlive(owner) ? owner : null;
}

function thisProcess(): Owner {
  const startMark = readProcess(process.pid)?.startMark ?? "";
  const program = basename(process.argv[1] ?? process.title);
  return { token: randomUUID(), pid: process.pid, startMark, program, connection: null };
}

function readOwner(file: string): Owner | null {
  try {
    return ownerShape.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    // A file that was not written completely (a full disk) counts as missing.
    if (systemErrorCode(error) === "ENOENT" || error instanceof SyntaxError || error instanceof z.ZodError)
      return null;
    throw error;
  }
}

function isAlive(owner: Owner): boolean {
  const found = readProcess(owner.pid);
  return found !== null && !found.zombie && found.startMark === owner.startMark;
}

function linkedTo(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** Removes the file of a dead owner; if a living one took its place meanwhile, that file is restored. */
function takeAway(file: string, token: string | null): void {
  const taken = `${file}.${randomUUID()}`;
  try {
    renameSync(file, taken);
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return;
    throw error;
  }
  if ((readOwner(taken)?.token ?? null) !== token) linkedTo(taken, file);
  rmSync(taken, { force: true });
}

function heldBy(owner: Owner, dataDir: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    "held",
    `DATA_DIR ${dataDir} is held by another process (pid ${owner.pid}, ${owner.program}): ` +
      "stop that one, or set DATA_DIR to another folder",
  );
}
