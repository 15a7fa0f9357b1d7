import { afterEach, beforeEach, expect, it } from "vitest";
import type { CampaignId, OwnerId } from "../../../domain/shared/ids.ts";
import { type Instant, instantFromMillis, millisOf } from "../../../domain/shared/instant.ts";
import { createCampaignFolds } from "../../../projections/history/folds/campaign-folds.ts";
import { campaignAt, contactsAt } from "../../../projections/history/time-travel.ts";
import { randomHistory } from "../random-history.ts";
import { codec, openReadWorld, type ReadWorld } from "../read-world.ts";
import { seededRandom } from "../seeded-random.ts";

const WHOLE = { limit: 200, after: null };
const FILTERS = [{}, { status: "failed" }, { endReason: "busy" }, { text: "1" }, { text: "con" }] as const;

type Campaign = { readonly owner: OwnerId; readonly id: CampaignId };

let world: ReadWorld;
beforeEach(async () => {
  world = await openReadWorld();
});
afterEach(() => world.close());

/** Clocks of several processes: the times of a random history do not follow one another. */
it.each([
  ["kept", 64 * 1024 * 1024],
  ["let go after each question", 0],
])(
  "tells at any moment what the plain fold tells, asked in any order while the log grows: %s",
  async (_, bytes) => {
    const { eventStore } = world;
    const deps = { eventStore, codec };
    const folds = createCampaignFolds(deps, bytes);
    const seed = bytes === 0 ? 21 : 22;
    const history = randomHistory(seed, 700);
    const random = seededRandom(seed);
    const times = history.map(({ event }) => millisOf(event.data.at));
    const campaigns: Campaign[] = [];
    let compared = 0;
    for (let start = 0; start < history.length; start += 175) {
      const some = history.slice(start, start + 175);
      await world.append(some);
      for (const { event, owner } of some)
        if (event.type === "CampaignCreated") campaigns.push({ id: event.data.campaignId, owner });
      for (const campaign of campaigns)
        for (let question = 0; question < 6; question += 1) {
          const at = instantFromMillis((times[random(times.length)] ?? 0) + question - 3);
          const filter = FILTERS[random(FILTERS.length)] ?? {};
          const page = { limit: 3, after: random(2) === 0 ? null : 1 };
          expect(await answers(folds, campaign, at, filter, page)).toEqual(
            await plain(deps, campaign, at, filter, page),
          );
          compared += 1;
        }
    }
    expect(campaigns.length).toBeGreaterThan(3);
    expect(compared).toBeGreaterThan(50);
  },
);

type Filter = (typeof FILTERS)[number];
type Asked = { readonly limit: number; readonly after: number | null };

async function answers(
  folds: ReturnType<typeof createCampaignFolds>,
  { owner, id }: Campaign,
  at: Instant,
  filter: Filter,
  page: Asked,
): Promise<unknown> {
  const heard: string[] = [];
  const hear = (position: string) => void heard.push(position);
  const campaign = await folds.campaignAt({ owner, id, at }, hear);
  const whole = await folds.contactsAt({ owner, id, at }, {}, WHOLE);
  return [campaign, await folds.contactsAt({ owner, id, at }, filter, page, hear), whole, heard];
}

async function plain(
  deps: Parameters<typeof campaignAt>[0],
  { owner, id }: Campaign,
  at: Instant,
  filter: Filter,
  page: Asked,
): Promise<unknown> {
  const heard: string[] = [];
  const hear = (position: string) => void heard.push(position);
  const campaign = await campaignAt(deps, owner, id, at, hear);
  const whole = await contactsAt(deps, owner, id, at, {}, WHOLE);
  return [campaign, await contactsAt(deps, owner, id, at, filter, page, hear), whole, heard];
}

it("knows nothing of another owner's campaign", async () => {
  const folds = createCampaignFolds({ eventStore: world.eventStore, codec });
  const history = randomHistory(22, 100);
  await world.append(history);
  const created = history.find(({ event }) => event.type === "CampaignCreated")?.event;
  if (created?.type !== "CampaignCreated") throw new Error("the history has no campaign");
  const asked = { owner: "usr_other", id: created.data.campaignId, at: "2100-01-01T00:00:00.000Z" } as const;
  expect(await folds.campaignAt(asked)).toBeNull();
  expect(await folds.contactsAt(asked, {}, WHOLE)).toBeNull();
});
