import { describe, expect, it } from "vitest";
import type { CampaignEvent, ContactSkipped } from "../../../domain/campaign/events.ts";
import { keep, noCampaign } from "../../../projections/history/folds/kept-campaign.ts";
import { storyOf } from "../../../projections/history/folds/kept-story.ts";
import {
  at,
  campaignId,
  contact,
  creation,
  dialed,
  imported,
  paused,
  started,
} from "../../domain/campaign/example-campaign.ts";

const metadata = { correlationId: "c", causationId: null, actor: "a", owner: "usr_1", schemaVersion: 1 };

function keptOf(events: readonly CampaignEvent[]) {
  const kept = noCampaign(campaignId);
  for (const [revision, event] of events.entries()) {
    const place = { id: `e${revision}`, stream: `campaign-${campaignId}`, created: at(0) };
    keep(kept, { ...place, revision, position: `${revision + 1}`, metadata, event });
  }
  return kept;
}
const story = (...events: readonly CampaignEvent[]) => storyOf(keptOf(events), "usr_1");

/** One line a row: kind, contact, reason, value and milliseconds since the row before. */
function rowsOf(told: ReturnType<typeof story>) {
  if (told === null) throw new Error("There is no story");
  const { kinds, reasons, columns } = told;
  return columns.at.map((since, row) => [
    kinds[columns.kind[row] ?? -1],
    columns.contact[row],
    reasons[columns.reason[row] ?? -1] ?? null,
    columns.value[row],
    since,
  ]);
}

const created: CampaignEvent = { type: "CampaignCreated", data: creation(2) };
const begun = [imported([contact(1), contact(2)]), created, started];
const failed = (number: number, seconds: number, retryAt: number | null): CampaignEvent => ({
  type: "ContactAttemptFailed",
  data: {
    ...{ campaignId, at: at(seconds), contactId: `ctc_${number}`, callId: `call_${number}`, attempt: 1 },
    ...{ durationSeconds: null, maxAttempts: 3, endReason: "no_answer" },
    retryAt: retryAt === null ? null : at(retryAt),
  },
});
const skip = (number: number, seconds: number, changes: Partial<ContactSkipped["data"]>): CampaignEvent => ({
  type: "ContactSkipped",
  data: {
    ...{ campaignId, at: at(seconds), contactId: `ctc_${number}`, reason: "by_request", outcome: "skipped" },
    ...changes,
  },
});

describe("the story of a campaign as it is kept", () => {
  it("has a row for each event: who, why, how many, and how long after the one before", () => {
    const told = story(
      ...begun,
      dialed(1),
      failed(1, 4, 304),
      paused("manual"),
      failed(2, 6, null),
      skip(1, 7, { outcome: "failed" }),
    );
    expect(told).toMatchObject({ position: "8", startsAt: at(-2), contacts: 2 });
    expect(rowsOf(told)).toEqual([
      ["ContactsImported", -1, null, 2, 0],
      ["CampaignCreated", -1, null, 2, 1_000],
      ["CampaignStarted", -1, null, null, 1_000],
      ["ContactDialed", 0, null, 1, 2_000],
      ["ContactAttemptFailed", 0, "no_answer", 300_000, 2_000],
      ["CampaignPaused", -1, "manual", null, -3_000],
      ["ContactAttemptFailed", 1, "no_answer", null, 5_000],
      ["ContactSkipped", 0, "failed", null, 1_000],
    ]);
  });

  it("names each kind and each reason once", () => {
    const told = story(...begun, failed(1, 4, null), failed(2, 5, null), skip(1, 6, {}));
    expect(told?.kinds).toEqual([
      ...["ContactsImported", "CampaignCreated", "CampaignStarted", "ContactAttemptFailed", "ContactSkipped"],
    ]);
    expect(told?.reasons).toEqual(["no_answer", "skipped"]);
  });

  it("gives contacts their places when their import is whole, and none to those of one that never was", () => {
    const later = { campaignId, importId: "imp_2", at: at(5) } as const;
    const third = imported([contact(3)], "imp_2", 0, at(1));
    const fourth = imported([contact(4)], "imp_2", 1, at(3));
    const rejected = { count: 0, items: [] };
    const added: CampaignEvent = { type: "ContactsAdded", data: { ...later, added: 2, rejected } };
    const abandoned: CampaignEvent = { type: "ImportAbandoned", data: later };
    const whole = story(
      ...begun,
      third,
      failed(2, 2, null),
      fourth,
      added,
      failed(4, 6, null),
      failed(3, 7, null),
    );
    expect(rowsOf(whole).map(([, place]) => place)).toEqual([-1, -1, -1, -1, 1, -1, -1, 3, 2]);
    expect([whole?.contacts, rowsOf(whole)[6]?.[3]]).toEqual([4, 2]);
    expect(story(...begun, third, abandoned, added)).toMatchObject({ contacts: 2 });
  });

  it("counts a call that the log does not know as an attempt, but for a contact in a call", () => {
    const call = { callId: "call_9", calledAt: at(1) } as const;
    const unknown = { reason: "outcome_unknown", outcome: "failed" } as const;
    const [told, inCall] = (["pending", "dialing"] as const).map((contactWas) =>
      story(...begun, skip(1, 1, { ...unknown, unknownCall: { ...call, contactWas } })),
    );
    expect([told, inCall].map((each) => each?.columns.value.at(-1))).toEqual([1, null]);
  });

  it("is shown to its owner alone, and begins with its creation", () => {
    expect(storyOf(keptOf(begun), "usr_2")).toBeNull();
    expect(story(imported([contact(1)]))).toBeNull();
    expect(story()).toBeNull();
  });
});
