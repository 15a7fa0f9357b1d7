import { randomBytes } from "node:crypto";
import { mkdtemp, open as openFile, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RecordingPlace } from "../../../application/ports/recordings.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { recordingFiles, removeUnfinished } from "../../../infrastructure/recordings/recording-files.ts";
import { PIECE_BYTES } from "../../../infrastructure/recordings/sealed-pieces.ts";
import { openSealed } from "../../../infrastructure/recordings/sealed-recording.ts";

const CALL = "call_abc";
const key = randomBytes(32);
/** A header of 11 bytes ("audio/wav"), then pieces that are 28 bytes longer. */
const FIRST_PIECE = 11;
const SEALED_PIECE = PIECE_BYTES + 28;
/** A file of its own. */
const LARGE = 17 * PIECE_BYTES + 100;

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ringfold-recordings-"));
  path = join(folder, "bc", `${CALL}.rec`);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

let place: RecordingPlace | null;
async function write(bytes: Uint8Array, size = 10_000): Promise<void> {
  const files = recordingFiles(folder, systemClock);
  place = await files.write(CALL, key, "audio/wav", inChunks(bytes, size));
  await files.flush();
}

const open = (callId: "call_abc" | "call_xbc" = CALL, by = key) =>
  recordingFiles(folder, systemClock).open({ callId, place }, by);

async function read(from: number, to: number): Promise<Buffer> {
  const found = await open();
  if (found.kind !== "found") throw new Error(found.kind);
  return Buffer.concat(await Array.fromAsync(found.recording.read(from, to)));
}

async function kind(callId: "call_abc" | "call_xbc" = CALL, by = key): Promise<string> {
  const found = await open(callId, by);
  if (found.kind === "found") await found.recording.close();
  return found.kind;
}

describe("a recording in RECORDINGS_DIR", () => {
  it.each([0, 1, PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, 3 * PIECE_BYTES, LARGE])(
    "of %i bytes is read as it was written, in every part",
    async (length) => {
      const bytes = randomBytes(length);
      await write(bytes);
      expect(place === null).toBe(length === LARGE);
      expect((await read(0, length - 1)).equals(bytes)).toBe(true);
      const found = await open();
      expect(found).toMatchObject({ recording: { bytes: length, contentType: "audio/wav" } });
      if (found.kind === "found") await found.recording.close();
      for (const [from, to] of [
        [0, 0],
        [PIECE_BYTES - 2, PIECE_BYTES + 2],
        [length - 3, length - 1],
      ] as const) {
        if (from < 0 || to >= length) continue;
        expect((await read(from, to)).equals(bytes.subarray(from, to + 1))).toBe(true);
      }
    },
  );

  it("is nobody else's to read, and its bytes are nowhere in the clear", async () => {
    await write(Buffer.alloc(LARGE, "spoken"));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await readFile(path)).includes("spoken")).toBe(false);
  });

  it.each([
    ["cut at the end of a piece", (file: Buffer) => file.subarray(0, FIRST_PIECE + 2 * SEALED_PIECE)],
    ["cut in a piece", (file: Buffer) => file.subarray(0, -1)],
    ["cut to its header", (file: Buffer) => file.subarray(0, FIRST_PIECE)],
    ["longer than it was", (file: Buffer) => Buffer.concat([file, Buffer.alloc(1)])],
    [
      "of another type",
      (file: Buffer) => Buffer.from(file.toString("latin1").replace("wav", "mp3"), "latin1"),
    ],
    ["of another format", (file: Buffer) => Buffer.concat([Buffer.of(2), file.subarray(1)])],
    ["cut before the words of its last piece", (file: Buffer) => file.subarray(0, -101)],
    ["empty", () => Buffer.alloc(0)],
  ])("that is %s is damaged", async (_name, change) => {
    await write(randomBytes(LARGE));
    expect(await kind()).toBe("found");
    await writeFile(path, change(await readFile(path)));
    expect(await kind()).toBe("damaged");
  });

  it("does not open when its pieces were swapped, nor for another call or with another key", async () => {
    const bytes = randomBytes(LARGE);
    await write(bytes);
    const file = await readFile(path);
    const piece = (index: number) =>
      file.subarray(FIRST_PIECE + index * SEALED_PIECE).subarray(0, SEALED_PIECE);
    const rest = file.subarray(FIRST_PIECE + 2 * SEALED_PIECE);
    const swapped = [file.subarray(0, FIRST_PIECE), piece(1), piece(0), rest];
    await writeFile(path, Buffer.concat(swapped));
    await expect(read(0, 10)).rejects.toThrow("piece 0 of the recording of call_abc does not open");
    await writeFile(path, file);
    expect(await kind(CALL, randomBytes(32))).toBe("damaged");
    await writeFile(path.replace("abc", "xbc"), file);
    expect(await kind("call_xbc")).toBe("damaged");
  });

  it("is not there before it is whole, and a source that breaks off leaves nothing", async () => {
    async function* broken() {
      yield randomBytes(LARGE);
      place = null;
      expect(await kind()).toBe("missing");
      throw new Error("the line went dead");
    }
    const writing = recordingFiles(folder, systemClock).write(CALL, key, "audio/wav", broken());
    await expect(writing).rejects.toThrow("the line went dead");
    expect(await readdir(join(folder, "bc"))).toEqual([]);
  });

  it("that cannot be read is not a missing one, and holds no file open", async () => {
    await writeFile(join(folder, "bc"), "no folder");
    place = null;
    await expect(kind()).rejects.toThrow("ENOTDIR");
    const unreadable = await openFile(folder, "r");
    await expect(openSealed(unreadable, null, CALL, key)).rejects.toThrow("EISDIR");
    expect(unreadable.fd).toBe(-1);
  });

  it("has no place outside of the folder, whatever the id of its call", async () => {
    for (const callId of ["call_../../etc", "call_", "call_a/b", `call_${"a".repeat(65)}`] as const) {
      const written = recordingFiles(folder, systemClock).write(
        callId,
        key,
        "audio/wav",
        inChunks(randomBytes(1), 1),
      );
      await expect(written).rejects.toThrow("No file can have the name of this call");
    }
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([10, LARGE])("of %i bytes is removed, also when it is not there", async (length) => {
    await write(randomBytes(length));
    for (let time = 0; time < 2; time += 1) {
      await recordingFiles(folder, systemClock).remove([{ callId: CALL, place }]);
      expect(await kind()).toBe("missing");
    }
  });
});

it("what a writer left behind that died is removed after a day", async () => {
  await write(randomBytes(LARGE));
  await writeFile(`${path}.abc.part`, "sealed");
  expect(await removeUnfinished(folder, Date.now())).toBe(0);
  expect(await removeUnfinished(folder, Date.now() + 86_400_001)).toBe(1);
  expect(await readdir(join(folder, "bc"))).toEqual([`${CALL}.rec`]);
  expect(await removeUnfinished(join(folder, "none"), 0)).toBe(0);
});
