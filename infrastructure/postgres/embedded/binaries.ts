import {
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { z } from "zod";
import { systemErrorCode } from "./embedded-postgres-error.ts";
import { freshFolder } from "./folders.ts";
import type { PlatformPackage } from "./platform-package.ts";
import { firstClosedPath, type ServerUser, withAncestors } from "./server-user.ts";

/** Programs that the server's user can run, and the environment in which they find their libraries. */
export type Binaries = {
  readonly initdb: string;
  readonly postgres: string;
  readonly environment: Readonly<Record<string, string>>;
};

const linkList = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Makes the binaries of a platform package usable: copies it below `home` when the server's user cannot reach
 * it, and makes the library links that npm packages cannot hold (their install script may not have run). A
 * package that cannot be written gets its links in a folder below `home`.
 */
export function prepareBinaries(source: PlatformPackage, home: string, user: ServerUser | null): Binaries {
  if (user !== null && firstClosedPath(neededPaths(source.folder), user) !== null) {
    return linked(copied(source, home, user), home, user);
  }
  return linked(source, home, user);
}

/** 60 MB, once for each version; complete or absent. */
function copied(source: PlatformPackage, home: string, user: ServerUser | null): PlatformPackage {
  const folder = join(home, `binaries-${source.version}`);
  if (!existsSync(folder)) {
    const unfinished = `${folder}.new`;
    rmSync(unfinished, { recursive: true, force: true });
    cpSync(source.folder, unfinished, { recursive: true, verbatimSymlinks: true });
    if (user !== null) giveAllTo(unfinished, user);
    renameSync(unfinished, folder);
  }
  return { ...source, folder };
}

function linked(source: PlatformPackage, home: string, user: ServerUser | null): Binaries {
  const list = join(source.folder, "native", "pg-symlinks.json");
  const links = existsSync(list) ? linkList.parse(JSON.parse(readFileSync(list, "utf8"))) : [];
  const missing = links.filter(({ target }) => !existsSync(join(source.folder, target)));
  try {
    for (const link of missing) makeLink(source.folder, link);
    return programs(source.folder, {});
  } catch (error) {
    if (!["EACCES", "EPERM", "EROFS"].includes(systemErrorCode(error))) throw error;
  }
  // macOS drops the linker's variables when /bin/sh is involved: only a copy helps there.
  if (process.platform === "darwin") return linked(copied(source, home, user), home, user);
  // A library that is found through its link looks for others next to the link, so the package's
  // folder comes second.
  const path = [linkFolder(source.folder, links, home, user), join(source.folder, "native", "lib")].join(":");
  return programs(source.folder, { LD_LIBRARY_PATH: path });
}

function makeLink(folder: string, link: { source: string; target: string }): void {
  const target = join(folder, link.target);
  try {
    symlinkSync(relative(dirname(target), join(folder, link.source)), target);
  } catch (error) {
    // Another start of the same installation was faster.
    if (systemErrorCode(error) !== "EEXIST") throw error;
  }
}

/** Made anew at each start: the project may have moved. */
function linkFolder(
  folder: string,
  links: readonly { source: string; target: string }[],
  home: string,
  user: ServerUser | null,
): string {
  const path = join(home, "lib");
  freshFolder(path, user);
  for (const { source, target } of links) symlinkSync(join(folder, source), join(path, basename(target)));
  return path;
}

function programs(folder: string, environment: Readonly<Record<string, string>>): Binaries {
  const suffix = process.platform === "win32" ? ".exe" : "";
  const bin = join(folder, "native", "bin");
  return { initdb: join(bin, `initdb${suffix}`), postgres: join(bin, `postgres${suffix}`), environment };
}

function neededPaths(folder: string): string[] {
  const native = join(folder, "native");
  return [
    ...withAncestors(join(native, "bin")),
    join(native, "bin", "initdb"),
    join(native, "bin", "postgres"),
    join(native, "lib"),
    join(native, "lib", "postgresql"),
    join(native, "share", "postgresql"),
  ];
}

export function giveAllTo(path: string, user: ServerUser): void {
  const entry = lstatSync(path);
  if (entry.isSymbolicLink()) return;
  chownSync(path, user.uid, user.gid);
  if (entry.isDirectory()) for (const name of readdirSync(path)) giveAllTo(join(path, name), user);
}
