import type { CallbackTerms } from "../../../domain/call/events.ts";
import { callbackCallOf, callbacksOf } from "../../../domain/campaign/contacts/contact-row.ts";
import { timesOfContact } from "../../../domain/campaign/due-contacts.ts";
import type { CampaignState } from "../../../domain/campaign/state.ts";
import type { PolicyInForce } from "../../../domain/policy/policy.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import type { PinnedConversations } from "../../ports/pinned-conversations.ts";
import { createRecentMap } from "../../recent-map.ts";

/** What the assistant with which the calls begin lets who is called agree. */
type CallbackSettings = { readonly maxDays: number; readonly maxPerContact: number };

/** By the key of a pinned conversation. null: nobody may agree anything, or there is no conversation. */
export type CallbackSettingsOf = (pinned: string | null) => Promise<CallbackSettings | null>;

const KEPT = 200;

/** A pinned conversation never changes, so it is read once. */
export function createCallbackSettings(conversations: Pick<PinnedConversations, "read">): CallbackSettingsOf {
  const known = createRecentMap<string, { readonly settings: CallbackSettings | null }>(KEPT);
  return async (pinned) => {
    if (pinned === null) return null;
    const before = known.get(pinned);
    if (before !== undefined) return before.settings;
    const conversation = await conversations.read(pinned);
    if (conversation === null) return null;
    const settings = conversation.speakers[0]?.callback ?? null;
    known.set(pinned, { settings });
    return settings;
  };
}

/** What a call of a contact carries about callbacks. */
type CallbackOfCall = { readonly callback?: CallbackTerms; readonly callbackOf?: CallId };

/** What a contact agreed so far, and where its times count. */
export type CallbackStanding = Pick<CallbackTerms, "zone" | "window" | "hours"> & {
  readonly agreed: number;
  /** The call in which it agreed last; null: none. */
  readonly agreedIn: CallId | null;
};

/** `row`: of the contact; -1: there is no such contact. */
export function callbackStanding(
  state: CampaignState,
  row: number,
  policy: PolicyInForce | null,
): CallbackStanding {
  const { contacts } = state;
  const { zone, window, hours } = timesOfContact(state, row, policy);
  return {
    ...{ zone, window },
    ...(hours === null ? {} : { hours }),
    agreed: callbacksOf(contacts, row),
    agreedIn: callbackCallOf(contacts, row),
  };
}

/** As of the dial; the assistant may not agree anything any more when it calls as was agreed. */
export function callbackOfCall(
  settings: CallbackSettings | null,
  { agreed, agreedIn, ...times }: CallbackStanding,
): CallbackOfCall {
  return {
    ...(settings === null
      ? {}
      : {
          callback: {
            ...times,
            left: Math.max(0, settings.maxPerContact - agreed),
            maxDays: settings.maxDays,
          },
        }),
    ...(agreedIn === null ? {} : { callbackOf: agreedIn }),
  };
}
