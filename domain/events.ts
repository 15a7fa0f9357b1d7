import type { CallEvent } from "./call/events.ts";
import type { CampaignEvent } from "./campaign/events.ts";
import type { PolicyEvent } from "./policy/events.ts";
import type { SquadEvent } from "./squad/events.ts";
import type { SuppressionListEvent } from "./suppression/events.ts";

/** Every event that can be in the log. */
export type DomainEvent = CallEvent | CampaignEvent | SquadEvent | PolicyEvent | SuppressionListEvent;
