import type { Migration } from "kysely/migration";
import { eventLog } from "./0001-event-log.ts";
import { configuration } from "./0002-configuration.ts";
import { work } from "./0003-work.ts";
import { webhooks } from "./0005-webhooks.ts";
import { messagesOfACall } from "./0006-messages-of-a-call.ts";
import { createdOfAnAppend } from "./0007-created-of-an-append.ts";
import { jsonOfAnAppend } from "./0008-json-of-an-append.ts";
import { installation } from "./0009-installation.ts";
import { logOrigins } from "./0011-log-origins.ts";
import { campaignProgress } from "./0016-campaign-progress.ts";
import { orderOfWebhooks } from "./0017-order-of-webhooks.ts";
import { subjectKeys } from "./0019-subject-keys.ts";
import { erasures } from "./0020-erasures.ts";
import { connections } from "./0022-connections.ts";
import { conversationOfAnAssistant } from "./0023-conversation-of-an-assistant.ts";
import { pinned } from "./0024-pinned.ts";
import { voiceSessions } from "./0025-sessions.ts";
import { modelTokens } from "./0026-model-tokens.ts";
import { whoSuppressed } from "./0027-who-suppressed.ts";
import { sessions } from "./0028-sessions.ts";
import { phones } from "./0030-phones.ts";
import { connectionOfANumber } from "./0031-connection-of-a-number.ts";
import { connectionTurns } from "./0033-connection-turns.ts";
import { restoreByCarrier } from "./0034-restore-by-carrier.ts";
import { retention } from "./0035-retention.ts";
import { recordings } from "./0036-recordings.ts";
import { idempotencyKeysOfACall } from "./0037-idempotency-keys-of-a-call.ts";
import { refusedRecordings } from "./0038-refused-recordings.ts";
import { dueSessions } from "./0040-due-sessions.ts";
import { expectedRecordings } from "./0041-expected-recordings.ts";
import { recordingSegments } from "./0042-recording-segments.ts";
import { startsOfAttempts } from "./0044-starts-of-attempts.ts";
import { rowsThatChange } from "./0045-rows-that-change.ts";
import { planSource } from "./0051-plan-source.ts";
import { optOutOfAnAssistant } from "./0056-opt-out-of-an-assistant.ts";
import { whoAskedNotToBeCalled } from "./0057-who-asked-not-to-be-called.ts";
import { numberOfASlot } from "./0058-number-of-a-slot.ts";
import { keysOfCampaigns } from "./0059-keys-of-campaigns.ts";
import { outcomeOfAnAssistant } from "./0061-outcome-of-an-assistant.ts";
import { whatIsToBeAnalysed } from "./0062-what-is-to-be-analysed.ts";
import { callbackOfAnAssistant } from "./0064-callback-of-an-assistant.ts";
import { setsOfOutcomes } from "./0066-sets-of-outcomes.ts";
import { policies } from "./0067-policies.ts";
import { dialsOfNumbers } from "./0068-dials-of-numbers.ts";
import { suppressionLists } from "./0069-suppression-lists.ts";
import { listNumbers } from "./0070-list-numbers.ts";
import { verifications } from "./0071-verifications.ts";
import { rehearsals } from "./0072-rehearsals.ts";
import { callsOfATime } from "./0076-calls-of-a-time.ts";
import { rareTypes } from "./0077-rare-types.ts";

/**
 * Every migration by name; they run in the order of their names. The numbers 0004 and 0010 were never used
 * and must not be used now: kysely refuses a migration whose name comes before one that was applied already.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  "0001-event-log": eventLog,
  "0002-configuration": configuration,
  "0003-work": work,
  "0005-webhooks": webhooks,
  "0006-messages-of-a-call": messagesOfACall,
  "0007-created-of-an-append": createdOfAnAppend,
  "0008-json-of-an-append": jsonOfAnAppend,
  "0009-installation": installation,
  "0011-log-origins": logOrigins,
  "0016-campaign-progress": campaignProgress,
  "0017-order-of-webhooks": orderOfWebhooks,
  "0019-subject-keys": subjectKeys,
  "0020-erasures": erasures,
  "0022-connections": connections,
  "0023-conversation-of-an-assistant": conversationOfAnAssistant,
  "0024-pinned": pinned,
  "0025-sessions": voiceSessions,
  "0026-model-tokens": modelTokens,
  "0027-who-suppressed": whoSuppressed,
  "0028-sessions": sessions,
  "0030-phones": phones,
  "0031-connection-of-a-number": connectionOfANumber,
  "0033-connection-turns": connectionTurns,
  "0034-restore-by-carrier": restoreByCarrier,
  "0035-retention": retention,
  "0036-recordings": recordings,
  "0037-idempotency-keys-of-a-call": idempotencyKeysOfACall,
  "0038-refused-recordings": refusedRecordings,
  "0040-due-sessions": dueSessions,
  "0041-expected-recordings": expectedRecordings,
  "0042-recording-segments": recordingSegments,
  "0044-starts-of-attempts": startsOfAttempts,
  "0045-rows-that-change": rowsThatChange,
  "0051-plan-source": planSource,
  "0056-opt-out-of-an-assistant": optOutOfAnAssistant,
  "0057-who-asked-not-to-be-called": whoAskedNotToBeCalled,
  "0058-number-of-a-slot": numberOfASlot,
  "0059-keys-of-campaigns": keysOfCampaigns,
  "0061-outcome-of-an-assistant": outcomeOfAnAssistant,
  "0062-what-is-to-be-analysed": whatIsToBeAnalysed,
  "0064-callback-of-an-assistant": callbackOfAnAssistant,
  "0066-sets-of-outcomes": setsOfOutcomes,
  "0067-policies": policies,
  "0068-dials-of-numbers": dialsOfNumbers,
  "0069-suppression-lists": suppressionLists,
  "0070-list-numbers": listNumbers,
  "0071-verifications": verifications,
  "0072-rehearsals": rehearsals,
  "0076-calls-of-a-time": callsOfATime,
  "0077-rare-types": rareTypes,
};
