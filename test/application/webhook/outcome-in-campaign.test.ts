import { describe, expect, it } from "vitest";
import { campaignStream } from "../../../application/log/stream-names.ts";
import { beginCallFacts } from "../../../application/webhook/call-facts.ts";
import { loggedOutcomes } from "../../../application/webhook/logged-outcomes.ts";
import { outcomeInCampaign } from "../../../application/webhook/outcome-in-campaign.ts";
import type { CampaignEvent } from "../../../domain/campaign/events.ts";
import type { CampaignId, ContactId } from "../../../domain/shared/ids.ts";
import { at, contact, dialed, failed, running, succeeded } from "../../domain/campaign/example-campaign.ts";
import { callRequest } from "../../projections/example-events.ts";
import { memoryLog } from "../../support/memory-log.ts";

function log() {
  const made = memoryLog();
  const append = (id: CampaignId, ...events: readonly CampaignEvent[]) =>
    made.store(campaignStream(id), ...events);
  return { ...made, append, campaigns: made.aggregates.campaigns };
}

function story(campaignId: CampaignId | null = "cmp_1", contactId: ContactId | null = "ctc_1", attempt = 1) {
  const request = { callId: "call_1", owner: "usr_1", campaignId, contactId, attempt, at: at(2) } as const;
  return beginCallFacts(callRequest(request).data);
}

describe("what a campaign decided after a call, by its state", () => {
  const begun = [...running([contact(1), contact(2)]), dialed(1)];
  const decided = async (events: readonly CampaignEvent[], of = story()) => {
    const { campaigns, append } = log();
    await append("cmp_1", ...events);
    return outcomeInCampaign(campaigns, of);
  };

  it("is nothing while the call is live there", async () => {
    expect(await decided(begun)).toBeNull();
  });

  it("is the next attempt and its time", async () => {
    const next = { maxAttempts: 3, isFinalAttempt: false, nextAttemptAt: at(400) };
    expect(await decided([...begun, failed(1, at(400))])).toEqual(next);
  });

  it("is that there is none any more", async () => {
    const last = { maxAttempts: 3, isFinalAttempt: true, nextAttemptAt: null };
    expect(await decided([...begun, succeeded(1)])).toEqual(last);
    expect(await decided([...begun, failed(1, null)])).toEqual(last);
  });

  it("is of a contact that was called again since that it was not the last, at a time that is past", async () => {
    const again = [...begun, failed(1, at(3)), dialed(1, 2, 2)];
    const past = { maxAttempts: 3, isFinalAttempt: false, nextAttemptAt: null };
    expect(await decided(again)).toEqual(past);
  });

  it("is of an earlier attempt than the one that is waited for now the same", async () => {
    const second = failed(1, at(900), 2);
    if (second.type !== "ContactAttemptFailed") throw new Error(second.type);
    const twice: CampaignEvent[] = [
      ...begun,
      failed(1, at(3)),
      dialed(1, 2, 2),
      { ...second, data: { ...second.data, attempt: 2 } },
    ];
    expect(await decided(twice)).toMatchObject({ isFinalAttempt: false, nextAttemptAt: null });
    expect(await decided(twice, story("cmp_1", "ctc_1", 2))).toMatchObject({ nextAttemptAt: at(900) });
  });

  it("is nothing of a single call, and of a contact or a campaign that it does not know", async () => {
    const over = [...begun, succeeded(1)];
    expect(await decided(over, story(null, null))).toBeNull();
    expect(await decided(over, story("cmp_1", null))).toBeNull();
    expect(await decided(over, story("cmp_1", "ctc_9"))).toBeNull();
    expect(await decided(over, story("cmp_9"))).toBeNull();
  });

  it("is read afresh: another process may have recorded it", async () => {
    const { campaigns, append } = log();
    await append("cmp_1", ...begun);
    expect(await outcomeInCampaign(campaigns, story())).toBeNull();
    await append("cmp_1", succeeded(1));
    expect(await outcomeInCampaign(campaigns, story())).toMatchObject({ isFinalAttempt: true });
  });
});

describe("what campaigns decided, by their streams", () => {
  const reading = async (most: number) => {
    const { eventStore, codec, append, reads: read } = log();
    const history = [
      ...running([contact(1), contact(2)]),
      dialed(1),
      succeeded(1),
      dialed(2),
      failed(2, null),
    ];
    for (const id of ["cmp_1", "cmp_2", "cmp_3"] as const) await append(id, ...history);
    return { read, ...loggedOutcomes({ eventStore, codec }, most) };
  };

  it("is read once for each campaign, also when several ask at once", async () => {
    const { read, of } = await reading(10);
    const [first, second, third] = await Promise.all([
      of("cmp_1", "call_1"),
      of("cmp_1", "call_2"),
      of("cmp_1", "call_9"),
    ]);
    expect([first?.isFinalAttempt, second?.isFinalAttempt, third]).toEqual([true, true, null]);
    await of("cmp_1", "call_1");
    expect(read).toEqual(["campaign-cmp_1"]);
  });

  it("is forgotten of the campaigns read first, so that no more than so many are remembered", async () => {
    const { read, of } = await reading(4);
    for (const id of ["cmp_1", "cmp_2", "cmp_1", "cmp_3", "cmp_2", "cmp_1"] as const) await of(id, "call_1");
    expect(read).toEqual(["campaign-cmp_1", "campaign-cmp_2", "campaign-cmp_3", "campaign-cmp_1"]);
  });

  it("is kept of the campaign that is asked for, however much it decided", async () => {
    const { read, of } = await reading(1);
    await of("cmp_1", "call_1");
    expect(await of("cmp_1", "call_2")).toMatchObject({ isFinalAttempt: true });
    expect(read).toHaveLength(1);
  });
});
