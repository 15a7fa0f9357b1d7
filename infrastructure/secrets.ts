import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import type { SecretBox } from "../application/ports/secret-box.ts";

const KEY_FILE = "secrets.key";
const FORMAT = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const CHECK_CONTEXT = "check";
const CHECK_TEXT = "ringfold";

/** One line for the operator at the start; never shows any part of a key. */
export class SecretsKeyError extends Error {
  override readonly name = "SecretsKeyError";
}

/**
 * The key from `SECRETS_KEY` (32 bytes in base64), else from `secrets.key` in the data directory, created
 * with mode 0600 if it is missing. `dataDir` null (an external database): the variable is needed.
 * @throws SecretsKeyError
 */
export function loadSecretsKey(configured: string | null, dataDir: string | null): Uint8Array {
  if (configured !== null) return parseKey(configured, "SECRETS_KEY");
  if (dataDir === null)
    throw new SecretsKeyError("SECRETS_KEY: required with DATABASE_URL (32 bytes in base64)");
  const file = join(dataDir, KEY_FILE);
  if (!existsSync(file)) {
    writeFileSync(file, `${randomBytes(32).toString("base64")}\n`, { mode: 0o600, flag: "wx", flush: true });
  }
  return parseKey(readFileSync(file, "utf8").trim(), file);
}

function parseKey(text: string, where: string): Uint8Array {
  const key = Buffer.from(text, "base64");
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text) || key.length !== 32) {
    throw new SecretsKeyError(`${where}: must be 32 bytes in base64 (openssl rand -base64 32)`);
  }
  return key;
}

/**
 * AES-256-GCM; the context is authenticated, so that an encrypted secret cannot be moved to another row.
 * Layout: format byte, 12 bytes of random IV, 16 bytes of tag, the rest.
 */
export function secretBox(key: Uint8Array): SecretBox {
  const sealing = createSecretKey(Buffer.from(hkdfSync("sha256", key, "", "ringfold secrets at rest", 32)));
  return {
    seal(plain, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", sealing, iv).setAAD(Buffer.from(context));
      const text = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return Buffer.concat([Buffer.from([FORMAT]), iv, cipher.getAuthTag(), text]);
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed);
      if (bytes[0] !== FORMAT) throw new Error("a sealed secret of an unknown format");
      const tagAt = 1 + IV_BYTES;
      const decipher = createDecipheriv("aes-256-gcm", sealing, bytes.subarray(1, tagAt), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(tagAt, tagAt + TAG_BYTES));
      return decipher.update(bytes.subarray(tagAt + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
    },
  };
}

/**
 * Compares the key with the check value in this database; the first start stores it.
 * @throws SecretsKeyError when the stored secrets were encrypted with another key
 */
export async function checkSecretsKey(pool: pg.Pool, box: SecretBox): Promise<void> {
  await pool.query(
    "insert into config.secrets_check (only_row, sealed) values (true, $1) on conflict (only_row) do nothing",
    [Buffer.from(box.seal(CHECK_TEXT, CHECK_CONTEXT))],
  );
  const stored = await pool.query<{ sealed: Buffer }>("select sealed from config.secrets_check");
  const sealed = stored.rows[0]?.sealed;
  if (sealed === undefined || !opensCheck(box, sealed)) {
    throw new SecretsKeyError(
      "SECRETS_KEY: is not the key that the secrets in this database were encrypted with",
    );
  }
}

function opensCheck(box: SecretBox, sealed: Uint8Array): boolean {
  try {
    return box.open(sealed, CHECK_CONTEXT) === CHECK_TEXT;
  } catch {
    return false;
  }
}
