import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import { childEnvironment } from "./guarded-process.ts";

/** The unprivileged user that runs the server when this process is root. */
export type ServerUser = { readonly name: string; readonly uid: number; readonly gid: number };

const candidates = ["postgres", "node", "nobody"];

/**
 * The user that runs the server: null if this process is not root (then it runs as the current user).
 * PostgreSQL refuses to run as root, and initdb needs a passwd entry. The owner of an existing
 * cluster stays its user.
 */
export function chooseServerUser(clusterFolder: string, passwdFile = "/etc/passwd"): ServerUser | null {
  if (process.getuid?.() !== 0) return null;
  const users = passwdEntries(passwdFile);
  const owner = statSync(clusterFolder, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) {
    const name = users.find((user) => user.uid === owner.uid)?.name ?? `uid ${owner.uid}`;
    return { name, uid: owner.uid, gid: owner.gid };
  }
  for (const name of candidates) {
    const user = users.find((entry) => entry.name === name && entry.uid !== 0);
    if (user !== undefined) return user;
  }
  throw new EmbeddedPostgresError(
    "start-failed",
    `PostgreSQL does not run as root and this machine has none of the users ${candidates.join(", ")}: ` +
      "start the service as an ordinary user, or set DATABASE_URL to a server of your own",
  );
}

/** The first of these paths, in order, that the user can neither enter nor execute; null if there is none. */
export function firstClosedPath(paths: readonly string[], user: ServerUser): string | null {
  const script = 'for path do [ -x "$path" ] || { printf %s "$path"; exit 0; }; done';
  // Tested as that user instead of computed from modes, because access lists and mount options count as well.
  const asked = spawnSync("/bin/sh", ["-c", script, "sh", ...paths], {
    uid: user.uid,
    gid: user.gid,
    cwd: "/",
    env: childEnvironment,
    encoding: "utf8",
  });
  if (asked.error !== undefined) {
    throw new EmbeddedPostgresError(
      "start-failed",
      `the user ${user.name} that is to run PostgreSQL cannot be used: ${asked.error.message}`,
    );
  }
  return asked.stdout === "" ? null : asked.stdout;
}

/** "/a/b/c" → "/", "/a", "/a/b", "/a/b/c". */
export function withAncestors(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [...withAncestors(parent), path];
}

function passwdEntries(passwdFile: string): ServerUser[] {
  return readFileSync(passwdFile, "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .filter((fields) => fields.length >= 4)
    .map(([name = "", , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
}
