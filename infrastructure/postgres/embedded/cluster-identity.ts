import { randomBytes, randomFillSync } from "node:crypto";
import { closeSync, openSync, readdirSync, readFileSync, readSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

/**
 * Bytes of global/pg_control in PostgreSQL 18: the nonce that hides which users exist, the state of the
 * cluster, and the checksum of all before.
 */
const NONCE = { at: 257, length: 32 };
const STATE_AT = 16;
const SHUT_DOWN = 1;
const CHECKSUM_AT = 292;
/** The first page of each file of the write-ahead log names the system as well. */
const SYSTEM_IN_WAL_AT = 24;
export const WAL_FILE = /^[0-9A-F]{24}$/;
/** Reversed polynomial of CRC-32C. */
const CASTAGNOLI = 0x82f63b78;

/**
 * Gives a copied cluster, which must be shut down, what initdb draws for each one: the system identifier, by
 * which a backup or an archive of the write-ahead log is known as its own, and the nonce. Throws when the
 * cluster is not as a PostgreSQL 18 writes it.
 */
export function giveOwnIdentity(cluster: string): void {
  const path = join(cluster, "global", "pg_control");
  const control = readFileSync(path);
  if (control.readUInt32LE(CHECKSUM_AT) !== checksumOf(control.subarray(0, CHECKSUM_AT)))
    throw new Error(`${path} is not the control file of a PostgreSQL 18`);
  if (control.readUInt32LE(STATE_AT) !== SHUT_DOWN) throw new Error(`${cluster} is not shut down in order`);
  const copied = control.readBigUInt64LE(0);
  const own = newSystemIdentifier();
  control.writeBigUInt64LE(own, 0);
  randomFillSync(control, NONCE.at, NONCE.length);
  control.writeUInt32LE(checksumOf(control.subarray(0, CHECKSUM_AT)), CHECKSUM_AT);
  writeFileSync(path, control);
  const wal = join(cluster, "pg_wal");
  for (const name of readdirSync(wal)) if (WAL_FILE.test(name)) nameSystem(join(wal, name), copied, own);
}

/** As initdb does: seconds since 1970 in its upper half; the lower one is drawn. */
function newSystemIdentifier(): bigint {
  return (BigInt(Math.floor(Date.now() / 1_000)) << 32n) | BigInt(randomBytes(4).readUInt32LE());
}

function nameSystem(walFile: string, copied: bigint, own: bigint): void {
  const file = openSync(walFile, "r+");
  try {
    const named = Buffer.alloc(8);
    readSync(file, named, 0, named.length, SYSTEM_IN_WAL_AT);
    // One that was made ahead and never written has none yet.
    if (named.readBigUInt64LE() !== copied) return;
    named.writeBigUInt64LE(own);
    writeSync(file, named, 0, named.length, SYSTEM_IN_WAL_AT);
  } finally {
    closeSync(file);
  }
}

function checksumOf(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ CASTAGNOLI : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
