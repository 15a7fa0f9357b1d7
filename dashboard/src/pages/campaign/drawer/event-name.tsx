import { useTexts } from "../../../texts/language.tsx";
import { en } from "../en.ts";
import { tr } from "../tr.ts";

const NAMED = [
  "CampaignCreated",
  "ContactsImported",
  "ContactsAdded",
  "CampaignStarted",
  "CampaignPaused",
  "CampaignResumed",
  "CampaignCancelled",
  "CampaignCompleted",
  "CampaignSettingsChanged",
  "ContactDialed",
  "ContactSucceeded",
  "ContactCallbackScheduled",
  "ContactAttemptFailed",
  "ContactSkipped",
  "ContactHeld",
] as const;
type Named = (typeof NAMED)[number];

const isNamed = (type: string): type is Named => NAMED.some((each) => each === type);

/** A short name of the event; the event's own name if there is none. */
export function EventName({ type }: { readonly type: string }) {
  const say = useTexts({ en, tr });
  return isNamed(type) ? <span title={type}>{say(`event.${type}`)}</span> : <code>{type}</code>;
}
