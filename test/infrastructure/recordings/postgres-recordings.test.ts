import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RecordingStep } from "../../../application/ports/recordings.ts";
import type { CallId, OwnerId } from "../../../domain/shared/ids.ts";
import { instantFromMillis } from "../../../domain/shared/instant.ts";
import { postgresRecordings } from "../../../infrastructure/recordings/postgres-recordings.ts";
import { migratedDatabase } from "../../support/database.ts";
import type { TestDatabase } from "../../support/postgres.ts";

const OWNER: OwnerId = "usr_1";
const CARRIER = { kind: "simulated", connectionId: null, instance: "journal-1" } as const;

let database: TestDatabase;
beforeEach(async () => {
  database = await migratedDatabase();
});
afterEach(() => database.drop());

const recordings = () => postgresRecordings(database.pool);
const found = (callId: CallId, carrier: typeof CARRIER | null = CARRIER) => ({
  ...{ callId, owner: OWNER, carrier, recordingRef: `rec of ${callId}` },
});
const dueIds = async (limit = 10) => (await recordings().due(limit)).map(({ callId }) => callId);
/** In so many hours. */
const again = (hours: number, problem: string) => ({
  ...{ at: instantFromMillis(Date.now() + hours * 3_600_000), problem },
});
const step = async (callId: CallId, changes: Partial<RecordingStep> = {}) => [
  ...(await recordings().stepped([
    { callId, copy: "waiting", place: null, atCarrier: true, again: null, ...changes },
  ])),
];
/** In the order of these calls, each a minute after the one before. */
const waitingSince = (callIds: readonly CallId[]) =>
  database.pool.query(
    `update work.recordings set due_at = now() - interval '1 hour' + n * interval '1 minute',
       created_at = now() - interval '1 hour' + n * interval '1 minute'
     from unnest($1::text[]) with ordinality as told (id, n) where call_id = told.id`,
    [callIds],
  );

describe("the list of work on recordings", () => {
  it("has the first recording of a call, from its carrier or an unknown one, the longest waiting first", async () => {
    await recordings().add([]);
    await recordings().add([found("call_a"), found("call_b", null), found("call_c")]);
    await recordings().add([{ ...found("call_a"), recordingRef: "another" }]);
    await waitingSince(["call_c", "call_b", "call_a"]);
    const waiting = { copy: "waiting", place: null, tries: 0 } as const;
    expect(await recordings().due(10)).toEqual([
      { ...found("call_c"), ...waiting },
      { ...found("call_b", null), ...waiting },
      { ...found("call_a"), ...waiting },
    ]);
    expect(await dueIds(2)).toEqual(["call_c", "call_b"]);
  });

  it("counts the tries of a step that fails, waits as long as it is told, and begins anew after one that succeeds", async () => {
    await recordings().add([found("call_a"), found("call_b")]);
    await step("call_a", { again: again(1, "no answer") });
    await step("call_a", { again: again(-1, "no answer still") });
    await step("call_b", { again: again(1, "the disk is full") });
    expect(await recordings().due(10)).toMatchObject([{ callId: "call_a", tries: 2 }]);
    await step("call_a", { copy: "copied" });
    expect(await recordings().due(10)).toMatchObject([{ callId: "call_a", tries: 0, copy: "copied" }]);
    await step("call_a", { copy: "copied", atCarrier: false });
    expect(await dueIds()).toEqual([]);
    expect(await recordings().copyOf("call_a")).toEqual({ copy: "copied", place: null });
    expect(await recordings().copyOf("call_none")).toBeNull();
  });

  it("tells how much is left to do, and the problem of the oldest that fails", async () => {
    const all = ["call_a", "call_b", "call_c", "call_d"] as const;
    await recordings().add(all.map((callId) => found(callId)));
    await waitingSince(all);
    expect(await recordings().backlog()).toEqual({ toCopy: 4, toDelete: 0, failing: 0, problem: null });
    await step("call_c", { again: again(1, "the younger's") });
    await step("call_b", { again: again(1, "the older's") });
    await step("call_d", { copy: "copied" });
    expect(await recordings().backlog()).toEqual({
      toCopy: 3,
      toDelete: 1,
      failing: 2,
      problem: "the older's",
    });
  });
});

describe("a recording that is to come", () => {
  const inHours = (hours: number) => instantFromMillis(Date.now() + hours * 3_600_000);
  const expected = (callId: CallId, hours: number, carrier: typeof CARRIER | null = CARRIER) => ({
    ...{ callId, owner: OWNER, carrier, lookAt: inHours(hours) },
  });

  it("is due when its carrier is to be asked, and is no copy that is missing", async () => {
    await recordings().expect([]);
    await recordings().expect([expected("call_a", -1), expected("call_b", 1), expected("call_c", -2, null)]);
    await recordings().expect([expected("call_b", -1)]);
    const told = { owner: OWNER, recordingRef: null, copy: "expected", place: null, tries: 0 };
    expect(await recordings().due(10)).toEqual([
      { callId: "call_c", carrier: null, ...told },
      { callId: "call_a", carrier: CARRIER, ...told },
    ]);
    expect(await recordings().backlog()).toEqual({ toCopy: 0, toDelete: 0, failing: 0, problem: null });
    await step("call_a", { copy: "expected", again: again(1, "no answer") });
    expect(await recordings().backlog()).toMatchObject({ failing: 1, problem: "no answer" });
    await step("call_c", { copy: "expected", again: { at: inHours(2), problem: null } });
    expect(await recordings().backlog()).toMatchObject({ failing: 1 });
    expect(await dueIds()).toEqual([]);
  });

  it("is copied at once when it is told of, also while its carrier is being asked", async () => {
    await recordings().add([found("call_b")]);
    await recordings().expect([expected("call_a", -1), expected("call_b", -1)]);
    await step("call_a", { copy: "expected", again: again(-1, "no answer") });
    await recordings().add([found("call_a")]);
    await step("call_a", { copy: "expected", again: again(5, "no answer") });
    const waiting = { copy: "waiting", place: null, tries: 0 };
    const due = await recordings().due(10);
    expect(due).toHaveLength(2);
    expect(due).toEqual(
      expect.arrayContaining([
        { ...found("call_a"), ...waiting },
        { ...found("call_b"), ...waiting },
      ]),
    );
  });

  it("of an erased call is looked for now, and deleted by the name that is told later", async () => {
    await recordings().expect([expected("call_a", 5)]);
    await recordings().erase(["call_a"]);
    const due = () => recordings().due(10);
    expect(await due()).toMatchObject([{ callId: "call_a", copy: "erased", recordingRef: null }]);
    await step("call_a", { copy: "erased", again: again(1, "no answer") });
    expect(await due()).toEqual([]);
    await recordings().add([found("call_a")]);
    expect(await due()).toMatchObject([{ callId: "call_a", copy: "erased", recordingRef: "rec of call_a" }]);
  });
});

describe("where a recording stands", () => {
  const place = { segment: "a.segment", at: 10, length: 20 };

  it("is told with it, stays through the steps after its copy, and is told at each erasure", async () => {
    await recordings().add([found("call_a"), found("call_b")]);
    await step("call_a", { copy: "copied", place });
    await step("call_b", { copy: "copied" });
    expect(await recordings().copyOf("call_a")).toEqual({ copy: "copied", place });
    await step("call_a", { copy: "copied", atCarrier: false });
    for (let time = 0; time < 2; time += 1)
      expect(await recordings().erase(["call_a", "call_b", "call_none"])).toEqual([
        { callId: "call_a", place },
        { callId: "call_b", place: null },
        { callId: "call_none", place: null },
      ]);
  });

  it("is kept of one that was erased while it was copied, and forgotten with a copy that is lost", async () => {
    await recordings().add([found("call_a"), found("call_b")]);
    await recordings().erase(["call_a"]);
    expect(await step("call_a", { copy: "copied", place })).toEqual(["call_a"]);
    expect(await recordings().erase(["call_a"])).toEqual([{ callId: "call_a", place }]);
    await step("call_b", { copy: "copied", place });
    expect(await recordings().lost("call_b")).toBe(true);
    expect(await recordings().copyOf("call_b")).toEqual({ copy: "waiting", place: null });
  });
});

describe("the recording of an erased call", () => {
  it("is deleted at the carrier now, whatever pause its copy had, and is told to whoever copied it meanwhile", async () => {
    await recordings().add([found("call_a"), found("call_b")]);
    for (const callId of ["call_a", "call_b"] as const) await step(callId, { again: again(5, "no answer") });
    await recordings().erase(["call_a"]);
    expect(await recordings().due(10)).toMatchObject([{ callId: "call_a", copy: "erased", tries: 0 }]);
    expect(await recordings().backlog()).toMatchObject({ toCopy: 1, toDelete: 1, failing: 1 });
    expect(await step("call_a", { copy: "copied" })).toEqual(["call_a"]);
    expect(await recordings().copyOf("call_a")).toEqual({ copy: "erased", place: null });
    expect(await dueIds()).toEqual(["call_a"]);
    expect(await step("call_a", { copy: "erased", atCarrier: false })).toEqual([]);
    expect(await dueIds()).toEqual([]);
  });

  it("waits between its tries although the erasure is repeated, and nothing is due once the carrier has it no longer", async () => {
    await recordings().add([found("call_a"), found("call_b")]);
    await recordings().erase(["call_a"]);
    await step("call_a", { copy: "erased", again: again(1, "the carrier did not delete it") });
    await recordings().erase(["call_a"]);
    expect(await recordings().backlog()).toMatchObject({ toDelete: 1, failing: 1 });
    await step("call_b", { copy: "copied", atCarrier: false });
    await recordings().erase(["call_b"]);
    expect([await dueIds(), await recordings().copyOf("call_b")]).toEqual([
      [],
      { copy: "erased", place: null },
    ]);
  });

  it("that was too large to copy is deleted at the carrier only then", async () => {
    await recordings().add([found("call_a")]);
    expect(await step("call_a", { copy: "refused" })).toEqual([]);
    expect(await dueIds()).toEqual([]);
    await recordings().erase(["call_a"]);
    expect(await step("call_a", { copy: "refused" })).toEqual(["call_a"]);
    expect(await dueIds()).toEqual(["call_a"]);
  });

  it("does not come back as a lost copy; another's does, as long as the carrier has it", async () => {
    await recordings().add([found("call_a"), found("call_b"), found("call_c")]);
    await recordings().erase(["call_a"]);
    await step("call_b", { copy: "copied", again: again(3, "the carrier did not delete it") });
    await step("call_c", { copy: "copied", atCarrier: false });
    const { lost } = recordings();
    expect(await Promise.all([lost("call_a"), lost("call_b"), lost("call_c")])).toEqual([false, true, false]);
    expect(await recordings().due(10)).toMatchObject(
      ["call_a", "call_b"].map((callId) => expect.objectContaining({ callId, tries: 0 })),
    );
    expect(await recordings().copyOf("call_b")).toEqual({ copy: "waiting", place: null });
    expect(await lost("call_b")).toBe(false);
  });
});
