import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { verifyCampaign } from "../../../application/audit/verify-campaign.ts";
import { END_REASONS, isEndReason } from "../../../domain/call/end-reason.ts";
import type { CampaignCommand } from "../../../domain/campaign/decider.ts";
import { DomainError } from "../../../domain/shared/errors.ts";
import { at, contact, FINE } from "../../domain/campaign/example-campaign.ts";
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from "../../domain/property-runs.ts";
import { recorded, type Story, startedStory } from "./example-history.ts";

const people = [
  contact(1),
  contact(2, { phoneNumber: "+14155550101" }),
  contact(3, { timezone: "Asia/Kolkata" }),
];
/** What a carrier can tell: that a number is suppressed is ours to know. */
const reasons = fc.constantFrom(
  ...Object.keys(END_REASONS)
    .filter(isEndReason)
    .filter((reason) => reason !== "suppressed"),
);

type Step = (story: Story, seconds: number, step: number) => void;

const commands = (make: (now: ReturnType<typeof at>) => CampaignCommand) =>
  fc.constant<Step>((story, seconds) => void story.campaign(make(at(seconds))));

const steps = fc.array(
  fc.record({
    after: fc.oneof(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 30_000 })),
    step: fc.oneof(
      {
        weight: 4,
        arbitrary: fc.integer({ min: 1, max: 3 }).map(
          (number): Step =>
            (story, seconds, step) =>
              void story.dial(seconds, [number, step]),
        ),
      },
      {
        weight: 4,
        arbitrary: fc.tuple(fc.nat(), reasons).map(
          ([pick, reason]): Step =>
            (story, seconds) =>
              endOne(story, seconds, pick, reason),
        ),
      },
      commands((now) => ({ type: "PauseCampaign", now })),
      commands((now) => ({ type: "ResumeCampaign", by: "api", world: FINE, now })),
      commands((now) => ({ type: "JudgeConditions", world: FINE, now })),
      commands((now) => ({ type: "ChangeSettings", changes: { maxRetries: 3, maxConcurrentCalls: 2 }, now })),
      commands((now) => ({ type: "SkipContact", contactId: "ctc_2", reason: "suppressed", now })),
      commands((now) => ({ type: "CancelCampaign", hangUpActiveCalls: true, now })),
      commands((now) => ({ type: "CompleteIfDone", now })),
    ),
  }),
  { maxLength: 25 },
);

function endOne(story: Story, seconds: number, pick: number, reason: Parameters<Story["end"]>[2]): void {
  const calls = story.log.flatMap((event) =>
    event.type === "ContactDialed" ? [Number(event.data.callId.slice("call_".length))] : [],
  );
  const call = calls[pick % Math.max(1, calls.length)];
  if (call !== undefined) story.end(call, seconds, reason);
}

describe("what the deciders decide", PROPERTY_TIMEOUT, () => {
  it("breaks no rule that the audit knows, whatever happens", () => {
    const property = fc.property(steps, (given) => {
      const story = startedStory(people, {
        window: { start: 9, end: 18 },
        maxConcurrentCalls: 1,
        maxRetries: 1,
      });
      let seconds = 0;
      for (const [index, { after, step }] of given.entries()) {
        seconds += after;
        refusedOrDone(() => step(story, seconds, index + 1));
      }
      expect(verifyCampaign(recorded(story.log), { now: null })).toEqual([]);
    });
    fc.assert(property, { numRuns: Math.ceil(PROPERTY_RUNS / 4) });
  });
});

function refusedOrDone(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
}
