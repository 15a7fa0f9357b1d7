import type { CampaignEvent, ContactStatus } from "../../domain/campaign/events.ts";
import { type Instant, instantFromMillis } from "../../domain/shared/instant.ts";
import {
  campaignId,
  contact,
  created,
  dialed,
  failed,
  paused,
  START_MILLIS,
  started,
  succeeded,
} from "../domain/campaign/example-campaign.ts";
import { seededRandom } from "./seeded-random.ts";

const CONTACTS = 9;

/**
 * One campaign of so many events, which few contacts make long: whoever has an end is called again. Times
 * mostly rise, some are the same, some step back. For the sizes at which a reader begins a new page or
 * snapshot.
 */
export function longCampaign(seed: number, size: number): readonly CampaignEvent[] {
  const random = seededRandom(seed);
  const statuses: ContactStatus[] = Array.from({ length: CONTACTS }, () => "pending");
  const attempts = statuses.map(() => 0);
  const people = Array.from({ length: CONTACTS }, (_, index) => contact(index + 1));
  const events: CampaignEvent[] = [...created(people), started];
  let millis = START_MILLIS;
  let calls = 0;
  const at = (): Instant => {
    millis += random(9) === 0 ? -random(40) : random(3) * random(900);
    return instantFromMillis(millis);
  };
  while (events.length < size - 1) {
    const index = random(CONTACTS);
    const number = index + 1;
    if (random(40) === 0 && events.length < size - 2) {
      events.push(timed(paused("manual"), at()));
      events.push({ type: "CampaignResumed", data: { campaignId, at: at(), by: "api" } });
    } else if (statuses[index] === "dialing") {
      const again = random(4) > 0;
      const isSuccess = random(2) === 0;
      statuses[index] = isSuccess ? "succeeded" : again ? "waiting_retry" : "failed";
      const retryAt = again ? instantFromMillis(millis + random(60_000)) : null;
      const end = isSuccess ? succeeded(number, calls) : failed(number, retryAt, calls);
      events.push(timed(end, at()));
    } else {
      calls += 1;
      attempts[index] = (attempts[index] ?? 0) + 1;
      statuses[index] = "dialing";
      events.push(timed(dialed(number, calls, attempts[index]), at()));
    }
  }
  const end = { campaignId, at: instantFromMillis(millis + 5_000), hangUpActiveCalls: false };
  return [...events, { type: "CampaignCancelled", data: end }];
}

function timed(event: CampaignEvent, at: Instant): CampaignEvent {
  return { ...event, data: { ...event.data, at } } as CampaignEvent;
}
