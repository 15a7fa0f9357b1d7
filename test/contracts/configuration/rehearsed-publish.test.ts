import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { squadStream } from "../../../application/log/stream-names.ts";
import type { NewRehearsal } from "../../../application/ports/rehearsals.ts";
import { freezeLines } from "../../../application/rehearsal/freeze-lines.ts";
import type { AssistantId, OwnerId, ToolId } from "../../../domain/shared/ids.ts";
import { createPostgresSubjectKeys } from "../../../infrastructure/account/subject-keys/postgres-subject-keys.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import { postgresRehearsals } from "../../../infrastructure/rehearsal/postgres-rehearsals.ts";
import { secretBox } from "../../../infrastructure/secrets.ts";
import { newRehearsal, playedRun } from "../../infrastructure/rehearsal/example-rehearsal.ts";
import { memoryLog } from "../../support/memory-log.ts";
import {
  assistantDraft,
  type ConfigurationWorld,
  configurationWorld,
  someOwner,
  toolDraft,
} from "./configuration-world.ts";

let world: ConfigurationWorld;
let owner: OwnerId;
let id: AssistantId;
let toolId: ToolId;
beforeAll(async () => {
  world = await configurationWorld();
});
afterAll(() => world.end());
beforeEach(async () => {
  owner = someOwner();
  [id, toolId] = [systemIds.next("ast"), systemIds.next("tool")];
  const { assistants, tools } = world.configuration;
  await tools.create(owner, toolId, { ...toolDraft, sampleAnswer: "booked" });
  await assistants.create(owner, id, { ...assistantDraft, toolIds: [toolId] });
});

const log = memoryLog();
const { aggregates } = log;
type Asked = Partial<Parameters<typeof freezeLines>[2]>;

const freeze = (asked: Asked = {}, of = owner) =>
  freezeLines({ snapshots: world.configuration.lineSnapshots, aggregates }, of, {
    ...{ assistantId: id, squadId: null, version: "draft", baseline: false },
    ...asked,
  });

async function frozen(asked: Asked = {}) {
  const answer = await freeze(asked);
  if (!answer.ok) throw new Error(JSON.stringify(answer.refusal));
  return answer.value;
}

const rehearsals = () =>
  postgresRehearsals(
    world.database.pool,
    createPostgresSubjectKeys(world.database.pool, secretBox(new Uint8Array(32))),
  );

/** Played to its end; `statuses`: of its runs, the candidate's before the baseline's. */
async function rehearsed(
  wanted: Partial<NewRehearsal> = {},
  statuses: readonly ("passed" | "failed" | "error")[] = ["passed"],
) {
  const made = newRehearsal({
    ...{ owner, assistantId: id, cases: 1, draftHash: (await frozen()).draftHash },
    ...wanted,
  });
  expect((await rehearsals().begin(made)).kind).toBe("begun");
  for (const status of statuses) {
    const run = await rehearsals().take({
      ...{ holder: "one", ttlMillis: 60_000, mostOfOwner: 4, notOwners: [], notConnections: [] },
    });
    if (run !== null) await rehearsals().finish(run, "one", playedRun({ status }));
  }
  return made.id;
}

const publish = (rehearsalId?: string) => world.configuration.assistants.publish(owner, id, rehearsalId);
const NOT_PASSED = { saved: false, reason: "rehearsal_not_passed" };

describe("a frozen line", () => {
  it("has everything of the draft, and its hash is the same until something changes", async () => {
    const { lines, draftHash } = await frozen();
    expect(lines).toMatchObject({
      candidate: {
        conversation: {
          ...{ version: 1, owner, squadId: null },
          speakers: [{ assistantId: id, assistantVersion: 0, tools: [{ toolId, config: toolDraft.config }] }],
        },
        ...{ voicemailPolicy: "hang_up", maxDurationSeconds: 600, outcome: assistantDraft.outcome },
        samples: { [toolId]: "booked" },
      },
      baseline: null,
    });
    expect(draftHash).toMatch(/^[0-9a-f]{64}$/);
    await publish();
    expect((await frozen()).draftHash).toBe(draftHash);
    const { assistants, tools } = world.configuration;
    const changes = [
      () => assistants.change(owner, id, { systemPrompt: "You cancel tables." }),
      () => tools.change(owner, toolId, { description: "Books two tables" }),
      () => tools.change(owner, toolId, { sampleAnswer: "full" }),
      () => assistants.change(owner, id, { maxDurationSeconds: 60 }),
    ];
    const hashes = new Set([draftHash]);
    for (const change of changes) {
      await change();
      hashes.add((await frozen()).draftHash);
    }
    expect(hashes.size).toBe(5);
  });

  it("is a version with the tools of today, beside what is published", async () => {
    const { assistants, tools } = world.configuration;
    await publish();
    await assistants.change(owner, id, { greetingMessage: "Good day" });
    await publish();
    await tools.change(owner, toolId, { sampleAnswer: null });
    const { lines } = await frozen({ version: 1, baseline: true });
    expect(lines.candidate.conversation.speakers).toMatchObject([
      { assistantVersion: 1, greetingMessage: assistantDraft.greetingMessage },
    ]);
    expect(lines.baseline?.conversation.speakers).toMatchObject([
      { assistantVersion: 2, greetingMessage: "Good day" },
    ]);
    expect([lines.candidate.samples, lines.baseline?.samples]).toEqual([{}, {}]);
  });

  it("is refused at the path of what there is not", async () => {
    const refusal = async (asked: Asked, of = owner) => {
      const answer = await freeze(asked, of);
      return answer.ok ? "frozen" : [answer.refusal.code, answer.refusal.details[0]?.path];
    };
    const none = { assistantId: null };
    expect(await refusal({}, someOwner())).toEqual(["ASSISTANT_NOT_FOUND", ["assistantId"]]);
    expect(await refusal({ assistantId: "nobody" })).toEqual(["ASSISTANT_NOT_FOUND", ["assistantId"]]);
    expect(await refusal({ version: "published" })).toEqual(["VALIDATION_ERROR", ["version"]]);
    expect(await refusal({ version: 1 })).toEqual(["VALIDATION_ERROR", ["version"]]);
    expect(await refusal({ baseline: true })).toEqual(["VALIDATION_ERROR", ["baseline"]]);
    expect(await refusal({ ...none, squadId: "sqd_none" })).toEqual(["SQUAD_NOT_FOUND", ["squadId"]]);
    await publish();
    expect(await refusal({ version: 1, baseline: true })).toBe("frozen");
    expect(await refusal({ version: 2 })).toEqual(["VALIDATION_ERROR", ["version"]]);
  });

  it("of a squad has the drafts of its members, but for those with a version of their own", async () => {
    const { assistants } = world.configuration;
    const second = systemIds.next("ast");
    await assistants.create(owner, second, { ...assistantDraft, name: "Second", greetingMessage: "One" });
    await assistants.publish(owner, second);
    await assistants.change(owner, second, { greetingMessage: "Two" });
    const squadId = systemIds.next("sqd");
    const members = [
      { assistantId: second, assistantVersion: 1, isEntry: false },
      { assistantId: id, assistantVersion: null, isEntry: true },
    ].map((member, position) => ({
      ...{ memberId: systemIds.next("mbr"), position, ...member, overrideSettings: {} },
    }));
    const moment = { squadId, at: "2026-11-28T10:00:00.000Z" } as const;
    const squad = { owner, name: "Tables", description: null, overrideSettings: {} };
    await log.storeFor(
      owner,
      squadStream(squadId),
      { type: "SquadCreated", data: { ...moment, ...squad } },
      ...members.map((member) => ({ type: "SquadMemberAdded", data: { ...moment, member } }) as const),
    );
    const asked = { assistantId: null, squadId };
    const { lines } = await frozen(asked);
    expect(lines.candidate.conversation).toMatchObject({
      squadId,
      speakers: [
        { assistantVersion: 0, memberId: members[1]?.memberId },
        { assistantVersion: 1, greetingMessage: "One" },
      ],
    });
    const answer = await freeze({ ...asked, version: "published" });
    expect(answer).toMatchObject({ ok: false, refusal: { details: [{ path: ["version"] }] } });
    expect(await freeze({ ...asked, version: 1 })).toMatchObject({
      refusal: { details: [{ path: ["version"], message: "Of a squad draft or published" }] },
    });
  });
});

describe("publish", () => {
  it("with a rehearsal freezes the very draft that passed it", async () => {
    expect(await publish(await rehearsed())).toMatchObject({ saved: true, value: { publishedVersion: 1 } });
  });

  it("is refused with one that is not done, in which a run did not pass, or which there is not", async () => {
    expect(await publish(await rehearsed({}, []))).toEqual(NOT_PASSED);
    const cancelled = await rehearsed({}, []);
    await rehearsals().cancel(owner, cancelled, "cancelled");
    expect(await publish(cancelled)).toEqual(NOT_PASSED);
    expect(await publish("rhl_none")).toEqual(NOT_PASSED);
    await world.database.pool.query("delete from work.rehearsals");
    expect(await publish(await rehearsed({ repeat: 2 }, ["passed", "failed"]))).toEqual(NOT_PASSED);
    expect(await publish(await rehearsed({}, ["error"]))).toEqual(NOT_PASSED);
    expect(await publish(await rehearsed({ baseline: true }, ["passed", "failed"]))).toMatchObject({
      saved: true,
    });
  });

  it("is refused with one of another draft, version, assistant, squad or owner", async () => {
    const { draftHash } = await frozen();
    const other = { draftHash, owner: someOwner() };
    const ofOthers = [
      await rehearsed({ version: 1 }),
      await rehearsed({ version: "published" }),
      await rehearsed({ assistantId: systemIds.next("ast") }),
      await rehearsed({ assistantId: null, squadId: "sqd_1" }),
      await rehearsed(other),
      await rehearsed({ draftHash: "0".repeat(64) }),
    ];
    for (const rehearsalId of ofOthers) expect(await publish(rehearsalId)).toEqual(NOT_PASSED);
  });

  it("is refused after a change of the draft or of what its tools answer, until that is taken back", async () => {
    const { assistants, tools } = world.configuration;
    const rehearsalId = await rehearsed();
    await assistants.change(owner, id, { greetingMessage: "Good day" });
    expect(await publish(rehearsalId)).toEqual(NOT_PASSED);
    await assistants.change(owner, id, { greetingMessage: assistantDraft.greetingMessage });
    await tools.change(owner, toolId, { sampleAnswer: "full" });
    expect(await publish(rehearsalId)).toEqual(NOT_PASSED);
    await tools.change(owner, toolId, { sampleAnswer: "booked" });
    expect(await publish(rehearsalId)).toMatchObject({ saved: true });
  });

  it("needs one where the assistant says so, which no version has", async () => {
    const { assistants } = world.configuration;
    const settings = await assistants.change(owner, id, { publishNeedsRehearsal: true });
    expect(settings).toMatchObject({ value: { publishNeedsRehearsal: true, name: assistantDraft.name } });
    expect(await publish()).toEqual({ saved: false, reason: "rehearsal_required" });
    expect(await publish(await rehearsed())).toMatchObject({ value: { publishNeedsRehearsal: true } });
    const versions = await assistants.versions(owner, id, { limit: 1, after: null });
    expect(Object.keys(versions?.rows[0] ?? {})).not.toContain("publishNeedsRehearsal");
    await assistants.change(owner, id, { publishNeedsRehearsal: false });
    expect(await publish()).toMatchObject({ saved: true, value: { publishedVersion: 2 } });
  });
});
