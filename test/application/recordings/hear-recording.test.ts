import { describe, expect, it } from "vitest";
import type { LogFields } from "../../../application/ports/logger.ts";
import type { FoundRecording, RecordingCopy } from "../../../application/ports/recordings.ts";
import type { SubjectKey } from "../../../application/ports/subject-keys.ts";
import { hearRecording } from "../../../application/recordings/hear-recording.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { movingClock } from "../../support/moving-clock.ts";

const CALL = "call_a1";
const KEY = new Uint8Array(32);
const FOUND: FoundRecording = {
  kind: "found",
  recording: {
    ...{ contentType: "audio/wav", bytes: 0, version: "1", close: async () => undefined },
    read: async function* () {},
  },
};

type Given = {
  /** What is known of the copy, one look after another; then always the last. */
  readonly copies: readonly (RecordingCopy | null)[];
  readonly key?: SubjectKey | undefined;
  readonly file?: FoundRecording;
  readonly atCarrier?: boolean;
};

/** Sleeps move the clock: `sleeps` are their milliseconds. */
async function heard({ copies, key, file = FOUND, atCarrier = false }: Given) {
  const clock = movingClock();
  const left = [...copies];
  const sleeps: number[] = [];
  const said: [level: string, message: string, fields: LogFields][] = [];
  const opened: unknown[] = [];
  const hearing = await hearRecording(
    {
      recordings: {
        copyOf: async () => {
          const copy = (left.length > 1 ? left.shift() : left[0]) ?? null;
          return copy && { copy, place: null };
        },
        lost: async () => atCarrier,
      },
      files: {
        open: async (...given) => {
          opened.push(given);
          return file;
        },
      },
      keys: { of: async ([subject = ""]) => new Map(key === undefined ? [] : [[subject, key]]) },
      clock: {
        ...clock,
        sleep: async (millis) => {
          sleeps.push(millis);
          clock.advance(millis);
        },
      },
      logger: {
        ...silentLogger,
        warn: (fields, message) => void said.push(["warn", message, fields]),
        error: (fields, message) => void said.push(["error", message, fields]),
      },
    },
    CALL,
  );
  return { hearing, sleeps, said, opened };
}
const OPEN = { kind: "open", key: KEY } as const;
const UNREADABLE =
  "a recording cannot be read: its file in RECORDINGS_DIR is missing or damaged, or its key is; is it the folder of all processes?";

describe("who wants to hear a recording", () => {
  it("hears the copy, opened with the key of its call", async () => {
    const { hearing, sleeps, said, opened } = await heard({ copies: ["copied"], key: OPEN });
    expect([hearing, sleeps, said, opened]).toEqual([FOUND, [], [], [[{ callId: CALL, place: null }, KEY]]]);
  });

  it.each([["waiting"], ["expected"], [null]] as const)(
    "waits for one that is %s, looking again",
    async (copy) => {
      const { hearing, sleeps } = await heard({ copies: [copy, copy, "copied"], key: OPEN });
      expect([hearing, sleeps]).toEqual([FOUND, [100, 100]]);
    },
  );

  it("waits 3 s, then learns that it is pending", async () => {
    const { hearing, sleeps, opened } = await heard({ copies: ["waiting"], key: OPEN });
    expect([hearing, sleeps, opened]).toEqual([{ kind: "pending" }, Array(31).fill(100), []]);
  });

  it.each(["absent", "erased", "refused"] as const)("learns at once that there is none: %s", async (copy) => {
    const { hearing, sleeps, opened } = await heard({ copies: [copy], key: OPEN });
    expect([hearing, sleeps, opened]).toEqual([{ kind: "none" }, [], []]);
  });

  it("learns that there is none when the call's key is erased, whatever the disk has", async () => {
    const { hearing, said, opened } = await heard({ copies: ["copied"], key: { kind: "erased" } });
    expect([hearing, said, opened]).toEqual([{ kind: "none" }, [], []]);
  });

  it("learns that it is pending when its file is lost and the carrier still has it; the log says so", async () => {
    const { hearing, said } = await heard({
      ...{ copies: ["copied"], key: OPEN, file: { kind: "missing" }, atCarrier: true },
    });
    expect([hearing, said]).toEqual([
      { kind: "pending" },
      [
        [
          "warn",
          "the file of a recording is missing in RECORDINGS_DIR; it is copied once more",
          { callId: CALL },
        ],
      ],
    ]);
  });

  it.each<[string, Given, string]>([
    ["lost, also at the carrier", { copies: [], key: OPEN, file: { kind: "missing" } }, "missing"],
    ["damaged", { copies: [], key: OPEN, file: { kind: "damaged" }, atCarrier: true }, "damaged"],
    ["there, but no key of it", { copies: [], atCarrier: true }, "damaged"],
    ["there, but its key is unusable", { copies: [], key: { kind: "unusable" }, atCarrier: true }, "damaged"],
  ])("learns that it is unavailable when the file is %s; the log says so", async (_what, given, found) => {
    const { hearing, said } = await heard({ ...given, copies: ["copied"] });
    expect([hearing, said]).toEqual([
      { kind: "unavailable" },
      [["error", UNREADABLE, { callId: CALL, found }]],
    ]);
  });
});
