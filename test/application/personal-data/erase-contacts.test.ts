import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { campaignStream } from "../../../application/log/stream-names.ts";
import {
  eraseAgain,
  erasuresReaction,
  fileKnowsMore,
} from "../../../application/personal-data/erase-again.ts";
import type { CampaignEvent } from "../../../domain/campaign/events.ts";
import type { CampaignId } from "../../../domain/shared/ids.ts";
import { createEventCodec } from "../../../infrastructure/log/codec.ts";
import { createPostgresCheckpoints } from "../../../infrastructure/postgres/checkpoints.ts";
import { createPostgresImports } from "../../../infrastructure/postgres/imports.ts";
import type { CrashPoints } from "../../../simulation/crash-points/crash-points.ts";
import { eventsToAppend } from "../../../simulation/memory/subject-keys.ts";
import { contact, creation } from "../../domain/campaign/example-campaign.ts";
import { type ErasingWorld, erasingWorld } from "./erasing-world.ts";

const OWNER = "usr_01k4b2s9h3e8t9v0w1x2y3z4a5";
const CAMPAIGN: CampaignId = "cmp_01k4b2s9h3e8t9v0w1x2y3z4a5";
const AT = "2026-11-20T10:00:00.000Z";
const STREAM = campaignStream(CAMPAIGN);
const moment = { campaignId: CAMPAIGN, at: AT } as const;
const contacts = [contact(1, { name: "the secret" })];
const PENDING: readonly CampaignEvent[] = [
  { type: "ContactsImported", data: { ...moment, importId: "imp_1", firstIndex: 0, contacts } },
  { type: "CampaignCreated", data: { ...creation(1), campaignId: CAMPAIGN, owner: OWNER } },
];
const told = { campaignId: CAMPAIGN, owner: OWNER } as const;

let world: ErasingWorld;
/** Campaigns whose contacts were taken from the rows that are read. */
let removed: CampaignId[];
beforeEach(async () => {
  world = await erasingWorld();
  removed = [];
  const imports = createPostgresImports(world.database.pool, world.keys);
  await imports.begin({ importId: "imp_1", campaignId: CAMPAIGN, owner: OWNER, at: AT });
  await store("no_stream", PENDING);
});
afterEach(() => world.drop());

async function store(expected: "no_stream" | number, events: readonly CampaignEvent[]) {
  const stored = await eventsToAppend(createEventCodec(world.keys), OWNER, events);
  await world.eventStore.append(STREAM, expected, stored);
}

function deps(crashPoints: CrashPoints | null = null) {
  return {
    ...world.process(crashPoints),
    codec: createEventCodec(world.keys),
    eventStore: world.eventStore,
    checkpoints: createPostgresCheckpoints(world.database.pool),
    shownWords: {
      remove: async () => undefined,
      removeContacts: async (campaignIds: readonly CampaignId[]) => void removed.push(...campaignIds),
    },
  };
}

const dying = (at: string): CrashPoints => ({
  reached: (point) => {
    if (point === at) throw new Error("died");
  },
});
const keyKind = async () => (await world.keys.of([CAMPAIGN])).get(CAMPAIGN)?.kind;
const types = async () => (await world.eventStore.read(STREAM)).map(({ type }) => type);
const lines = async () => (await readFile(world.file, "utf8").catch(() => "")).match(/"campaignId"/g)?.length;
const recorded = async () => {
  const decoded = await deps().codec.decode(await world.eventStore.read(STREAM));
  return decoded.map((each) => {
    if (each.kind !== "event") throw new Error(JSON.stringify(each));
    return each.recorded;
  });
};
const contactsRead = async () =>
  (await recorded()).flatMap(({ event }) => (event.type === "ContactsImported" ? event.data.contacts : []));

describe("a campaign that is deleted", () => {
  beforeEach(() => store(1, [{ type: "CampaignDeleted", data: moment }]));

  it("takes the key of its contacts with it, with a line in the file, however often it is told", async () => {
    const reaction = erasuresReaction(deps());
    expect(await contactsRead()).toHaveLength(1);
    const events = await recorded();
    await reaction.handle(events);
    await reaction.handle(events);
    expect([await keyKind(), await contactsRead(), await lines()]).toEqual(["erased", [], 1]);
    expect(await types()).toEqual(["ContactsImported", "CampaignCreated", "CampaignDeleted"]);
  });

  it.each(["erasures.clearCampaigns.after", "journal.add.before", "erasures.eraseKeys.before"])(
    "is erased by the next process where one dies at %s",
    async (point) => {
      const events = await recorded();
      await expect(erasuresReaction(deps(dying(point))).handle(events)).rejects.toThrow("died");
      expect(await keyKind()).toBe("open");
      await erasuresReaction(deps()).handle(events);
      expect([await keyKind(), await lines()]).toEqual(["erased", expect.any(Number)]);
    },
  );

  it("is erased again by the log where the keys are older, and its rows first", async () => {
    const { checkpoints } = deps();
    const [first] = await world.eventStore.read(STREAM);
    await checkpoints.save("erasures", { position: first?.position ?? "", eventId: null });
    const { erasures, ...rest } = deps();
    const asked: unknown[] = [];
    const notErased: typeof erasures.notErased = (ids) => {
      if (ids.length > 0) asked.push(...ids);
      return erasures.notErased(ids);
    };
    await eraseAgain({ ...rest, erasures: { ...erasures, notErased } });
    expect([await keyKind(), removed, await lines()]).toEqual(["erased", [CAMPAIGN], 1]);
    expect(asked).toEqual([CAMPAIGN]);
  });
});

describe("a campaign of a restored log, which the file knows as deleted", () => {
  beforeEach(() => deps().journal.add([told], AT));

  it("is deleted again with its contacts, once", async () => {
    expect(await fileKnowsMore(deps())).toBe(true);
    await eraseAgain(deps());
    await eraseAgain(deps());
    expect(await types()).toEqual(["ContactsImported", "CampaignCreated", "CampaignDeleted"]);
    expect([await keyKind(), await contactsRead(), removed]).toEqual(["erased", [], [CAMPAIGN]]);
    expect(await fileKnowsMore(deps())).toBe(false);
  });

  it("is deleted also where its contacts cannot be read", async () => {
    await world.database.pool.query("delete from config.subject_keys where subject = $1", [CAMPAIGN]);
    world.keys.forget([CAMPAIGN]);
    await eraseAgain(deps());
    expect([await keyKind(), (await types()).at(-1)]).toEqual(["erased", "CampaignDeleted"]);
  });

  it("is kept where it has begun since, because somebody may have been called for it", async () => {
    await store(1, [{ type: "CampaignStarted", data: moment }]);
    await eraseAgain(deps());
    expect([await keyKind(), removed, (await types()).at(-1)]).toEqual(["open", [], "CampaignStarted"]);
    expect(await contactsRead()).toHaveLength(1);
  });
});
