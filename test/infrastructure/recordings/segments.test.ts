import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { PlacedRecording } from "../../../application/ports/recordings.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { recordingFiles } from "../../../infrastructure/recordings/recording-files.ts";
import { type MovingClock, movingClock } from "../../support/moving-clock.ts";

const key = randomBytes(32);
const MIB = 1024 * 1024;
const DAY = 86_400_000;

let folder: string;
let clock: MovingClock;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ringfold-segments-"));
  clock = movingClock();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

type Files = ReturnType<typeof recordingFiles>;
const process = () => recordingFiles(folder, clock);
const pathOf = (name = "") => join(folder, "segments", name);
const names = () => readdir(pathOf()).catch(() => []);

async function* sound(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
async function write(files: Files, callId: CallId, bytes: Uint8Array): Promise<Placed> {
  const place = await files.write(callId, key, "audio/wav", sound(bytes));
  if (place === null) throw new Error("a file of its own");
  return { callId, place };
}
type Placed = PlacedRecording & { readonly place: NonNullable<PlacedRecording["place"]> };

async function heard(recording: PlacedRecording, files = process()): Promise<Buffer | string> {
  const found = await files.open(recording, key);
  if (found.kind !== "found") return found.kind;
  return Buffer.concat(await Array.fromAsync(found.recording.read(0, found.recording.bytes - 1)));
}

describe("recordings in a segment", () => {
  it("are written by one write for all that wait, and each is heard from its place, by every process", async () => {
    const files = process();
    const all = [randomBytes(10), randomBytes(200_000), randomBytes(0)];
    const placed = await Promise.all(all.map((bytes, index) => write(files, `call_${index}`, bytes)));
    expect(await names()).toEqual([]);
    await files.flush();
    expect(await names()).toHaveLength(1);
    for (const [index, recording] of placed.entries()) expect(await heard(recording)).toEqual(all[index]);
    const more = await write(files, "call_more", randomBytes(5));
    await files.flush();
    expect(more.place.segment).toBe(placed[0]?.place.segment);
  });

  it("are written before they fill the memory, and are durable only with the flush", async () => {
    const files = process();
    const first = await write(files, "call_0", randomBytes(900_000));
    for (let count = 1; count < 10; count += 1) await write(files, `call_${count}`, randomBytes(900_000));
    expect((await stat(pathOf(first.place.segment))).size).toBeGreaterThan(8 * MIB);
    await files.flush();
    expect(await heard(first)).toHaveLength(900_000);
  });

  it("of two processes stand in segments of each", async () => {
    const [one, other] = [process(), process()];
    const mine = await write(one, "call_a", randomBytes(10));
    const theirs = await write(other, "call_b", randomBytes(10));
    await Promise.all([one.flush(), other.flush()]);
    expect(mine.place.segment).not.toBe(theirs.place.segment);
    expect(await heard(theirs, one)).toHaveLength(10);
  });

  it("begin another segment after a day", async () => {
    const files = process();
    const first = await write(files, "call_a", randomBytes(10));
    await files.flush();
    clock.advance(DAY);
    const second = await write(files, "call_b", randomBytes(10));
    expect(second.place.segment).not.toBe(first.place.segment);
  });

  it("whose write fails count for nothing, and the next ones go to another segment", async () => {
    const files = process();
    const before = await write(files, "call_a", randomBytes(10));
    await files.flush();
    const lost = await write(files, "call_b", randomBytes(10));
    await rm(pathOf(before.place.segment));
    await expect(files.flush()).rejects.toThrow("ENOENT");
    await files.flush();
    const after = await write(files, "call_c", randomBytes(10));
    await files.flush();
    expect([await heard(lost), await heard(after)]).toEqual(["missing", expect.any(Buffer)]);
    expect(after.place.segment).not.toBe(before.place.segment);
  });

  it("are overwritten when they are erased, and those beside them stay", async () => {
    const files = process();
    const [gone, kept] = [
      await write(files, "call_a", randomBytes(1_000)),
      await write(files, "call_b", key),
    ];
    await files.flush();
    const path = pathOf(gone.place.segment);
    const before = await readFile(path);
    await process().remove([gone, { ...gone, callId: "call_x" }]);
    const after = await readFile(path);
    expect(after.length).toBe(before.length);
    const body = after.subarray(gone.place.length - 1_039, gone.place.length);
    expect([body.every((byte) => byte === 0), await heard(gone), await heard(kept)]).toEqual([
      true,
      "missing",
      key,
    ]);
    const { records } = await files.segments.read(gone.place.segment, 0);
    expect(records.map(({ callId, isErased }) => [callId, isErased])).toEqual([
      ["call_a", true],
      ["call_b", false],
    ]);
  });

  it("are never another's: a place that is wrong neither plays nor erases what stands there", async () => {
    const files = process();
    const recording = await write(files, "call_a", randomBytes(10));
    await files.flush();
    const wrong = [
      { ...recording, callId: "call_b" as const },
      { ...recording, place: { ...recording.place, at: 1 } },
      { ...recording, place: { ...recording.place, length: recording.place.length - 1 } },
    ];
    await files.remove(wrong);
    for (const place of wrong) expect(await heard(place)).toBe("damaged");
    expect(await heard(recording)).toHaveLength(10);
  });

  it("are none where a crash has cut the end, or left bytes that are no record", async () => {
    const files = process();
    const whole = await write(files, "call_a", randomBytes(100));
    const cut = await write(files, "call_b", randomBytes(100));
    await files.flush();
    const { segment, at, length } = cut.place;
    const read = async () => (await process().segments.read(segment, 0)).records.map(({ callId }) => callId);
    expect(await read()).toEqual(["call_a", "call_b"]);
    for (const end of [at + length - 1, at + 9, at + 3, at]) {
      await truncate(pathOf(segment), end);
      expect(await read()).toEqual(["call_a"]);
      expect(["damaged", "missing"]).toContain(await heard(cut));
    }
    await writeFile(pathOf(segment), Buffer.alloc(500), { flag: "a" });
    expect(await process().segments.read(segment, 0)).toEqual({
      records: [{ ...whole, isErased: false }],
      end: whole.place.length,
    });
    expect(await process().segments.read("none", 7)).toEqual({ records: [], end: 7 });
  });

  it("are missing without their file, and damaged in one that was cut to nothing", async () => {
    const files = process();
    const recording = await write(files, "call_a", randomBytes(100));
    await files.flush();
    await rm(pathOf(recording.place.segment));
    expect(await heard(recording)).toBe("missing");
    await writeFile(pathOf(recording.place.segment), "");
    expect(await heard(recording)).toBe("damaged");
  });
});

describe("a segment", () => {
  it("is closed when its process has begun another, for others two days after its beginning", async () => {
    const [files, other] = [process(), process()];
    const { place } = await write(files, "call_a", randomBytes(10));
    await files.flush();
    const isClosed = async (by: Files) =>
      (await by.segments.list()).find(({ name }) => name === place.segment)?.isClosed;
    expect([await isClosed(files), await isClosed(other)]).toEqual([false, false]);
    clock.advance(DAY);
    await write(files, "call_b", randomBytes(10));
    await files.flush();
    expect([await isClosed(files), await isClosed(other)]).toEqual([true, false]);
    clock.advance(DAY);
    expect(await isClosed(other)).toBe(true);
  });

  it("is left for another by copies of its records, byte for byte, and dropped, also twice", async () => {
    const files = process();
    const bytes = randomBytes(70_000);
    await write(files, "call_a", randomBytes(10));
    const second = await write(files, "call_b", bytes);
    await files.flush();
    const other = process();
    const { records } = await other.segments.read(second.place.segment, 0);
    const [move] = await other.segments.copy(records.slice(1));
    expect(move).toMatchObject({ callId: "call_b", from: second.place });
    for (let time = 0; time < 2; time += 1) await other.segments.drop(second.place.segment);
    expect(await heard(second)).toBe("missing");
    expect(await heard({ callId: "call_b", place: move?.to ?? null })).toEqual(bytes);
    expect(await names()).toEqual([move?.to.segment]);
  });

  it("is a file whose name says so: others in its folder are passed over", async () => {
    expect(await process().segments.list()).toEqual([]);
    const files = process();
    const { place } = await write(files, "call_a", randomBytes(10));
    await files.flush();
    await writeFile(pathOf("notes.txt"), "");
    const size = (await stat(pathOf(place.segment))).size;
    expect(await files.segments.list()).toEqual([{ name: place.segment, bytes: size, isClosed: false }]);
  });
});
