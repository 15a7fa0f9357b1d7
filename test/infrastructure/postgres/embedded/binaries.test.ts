import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { findPlatformPackage } from "../../../../infrastructure/postgres/embedded/platform-package.ts";
import { ask, hold, start, temporaryFolder } from "./data-dirs.ts";
import { serverOf } from "./holder.ts";
import { canChangeUsers, ordinaryUser, ordinaryUserReachesCheckout } from "./users.ts";

/** A platform package as npm unpacks it without running its install script: no library links. */
function packageWithoutLinks(folder: string): string {
  const real = findPlatformPackage().folder;
  mkdirSync(join(folder, "native", "lib"), { recursive: true });
  copyFileSync(join(real, "package.json"), join(folder, "package.json"));
  copyFileSync(join(real, "native", "pg-symlinks.json"), join(folder, "native", "pg-symlinks.json"));
  cpSync(join(real, "native", "bin"), join(folder, "native", "bin"), { recursive: true });
  symlinkSync(join(real, "native", "share"), join(folder, "native", "share"));
  const libraries = join(real, "native", "lib");
  for (const name of readdirSync(libraries)) {
    const source = join(libraries, name);
    if (!lstatSync(source).isSymbolicLink()) symlinkSync(source, join(folder, "native", "lib", name));
  }
  return folder;
}

const linkOf = (packageFolder: string) => join(packageFolder, "native", "lib", "libpq.so.5");

it("makes the library links that an install without scripts left out", async () => {
  const packageFolder = packageWithoutLinks(join(temporaryFolder(), "package"));
  const { connection } = await start({ dataDir: temporaryFolder(), packageFolder });
  expect(await ask(connection, "select 1")).toEqual([1]);
  expect(readlinkSync(linkOf(packageFolder))).toMatch(/^libpq\.so\.5\.\d+$/);
});

function closeForWriting(folder: string): void {
  chmodSync(folder, 0o555);
  onTestFinished(() => chmodSync(folder, 0o755));
}

if (ordinaryUserReachesCheckout()) {
  it("puts the links into DATA_DIR when node_modules is read-only", async () => {
    const packageFolder = packageWithoutLinks(join(temporaryFolder(), "package"));
    closeForWriting(join(packageFolder, "native", "lib"));
    const dataDir = temporaryFolder();
    if (ordinaryUser !== null) chownSync(dataDir, ordinaryUser.uid, ordinaryUser.gid);
    const { connection } = await serverOf(hold({ dataDir, packageFolder }, ordinaryUser));
    expect(await ask(connection, "select 1")).toEqual([1]);
    expect([
      existsSync(linkOf(packageFolder)),
      existsSync(join(dataDir, "postgres", "lib", "libpq.so.5")),
    ]).toEqual([false, true]);
  });
}

if (canChangeUsers()) {
  it("copies the binaries next to the data when they lie below a closed folder", async () => {
    const closed = temporaryFolder();
    const packageFolder = packageWithoutLinks(join(closed, "package"));
    chmodSync(closed, 0o700);
    const dataDir = temporaryFolder();
    const first = await start({ dataDir, packageFolder });
    await first.stop();
    const { connection } = await start({ dataDir, packageFolder });
    expect(await ask(connection, "select 1")).toEqual([1]);
    expect(readdirSync(join(dataDir, "postgres"))).toContain(`binaries-${findPlatformPackage().version}`);
  });
}
