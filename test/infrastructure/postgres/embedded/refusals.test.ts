import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findPlatformPackage } from "../../../../infrastructure/postgres/embedded/platform-package.ts";
import { hold, start, temporaryFolder } from "./data-dirs.ts";
import { canChangeUsers, ordinaryUser, ordinaryUserReachesCheckout } from "./users.ts";

function clusterFolder(): { dataDir: string; cluster: string } {
  const dataDir = temporaryFolder();
  const cluster = join(dataDir, "postgres", "data");
  mkdirSync(cluster, { recursive: true });
  return { dataDir, cluster };
}

it("refuses a cluster of another major version and says how to go on", async () => {
  const { dataDir, cluster } = clusterFolder();
  writeFileSync(join(cluster, "PG_VERSION"), "17\n");
  await expect(start({ dataDir })).rejects.toMatchObject({
    code: "other-major-version",
    message: expect.stringMatching(
      /made by PostgreSQL 17 and this release brings PostgreSQL 18: start the release/,
    ),
  });
});

it("does not touch a folder in the cluster's place that is none", async () => {
  const { dataDir, cluster } = clusterFolder();
  writeFileSync(join(cluster, "letter.txt"), "mine");
  const message = `${cluster} cannot be used: it holds files but no PostgreSQL cluster`;
  await expect(start({ dataDir })).rejects.toMatchObject({ code: "data-dir-unusable", message });
});

it("names a DATA_DIR that is a file", async () => {
  const dataDir = join(temporaryFolder(), "file");
  writeFileSync(dataDir, "");
  const message = `DATA_DIR ${dataDir} cannot be used: it is a file, not a folder`;
  await expect(start({ dataDir })).rejects.toMatchObject({ code: "data-dir-unusable", message });
});

it("says in one line why a server does not start, and lets go of the DATA_DIR", async () => {
  const dataDir = temporaryFolder();
  const failed = start({ dataDir, settings: { max_connections: "many" } });
  await expect(failed).rejects.toMatchObject({
    code: "start-failed",
    message: expect.stringMatching(
      /^the embedded PostgreSQL in .* did not start: .*"max_connections": "many"$/,
    ),
    stderrTail: expect.stringContaining("FATAL"),
  });
  await start({ dataDir });
});

it.each([
  ["sunos", "x64", false],
  ["linux", "riscv64", false],
  ["linux", "x64", true],
])(
  "names DATABASE_URL where there is no binary: %s %s, without glibc %s",
  (platform, architecture, withoutGlibc) => {
    expect(() => findPlatformPackage(platform, architecture, withoutGlibc)).toThrow(
      new RegExp(`^no embedded PostgreSQL for ${platform}-${architecture}.*set DATABASE_URL`),
    );
  },
);

if (ordinaryUserReachesCheckout()) {
  describe("as an ordinary user", () => {
    it("runs without a change of user", async () => {
      const dataDir = temporaryFolder();
      if (ordinaryUser !== null) chownSync(dataDir, ordinaryUser.uid, ordinaryUser.gid);
      expect(await hold({ dataDir }, ordinaryUser).said).toMatchObject({ connection: { user: "ringfold" } });
    });

    it("names a DATA_DIR that he must not write", async () => {
      const dataDir = temporaryFolder();
      chmodSync(dataDir, 0o555);
      expect(await hold({ dataDir }, ordinaryUser).said).toMatchObject({
        code: "data-dir-unusable",
        message: expect.stringMatching(
          new RegExp(`DATA_DIR ${dataDir} cannot be used: permission denied for uid`),
        ),
      });
    });
  });
}

if (canChangeUsers()) {
  describe("as root", () => {
    it("names the folder above DATA_DIR that is closed to the server's user", async () => {
      const closed = join(temporaryFolder(), "closed");
      mkdirSync(closed, { mode: 0o700 });
      await expect(start({ dataDir: join(closed, "data") })).rejects.toMatchObject({
        code: "folder-closed",
        message: expect.stringContaining(`the folder ${closed} is closed to him: chmod o+x ${closed}`),
      });
    });
  });
}
