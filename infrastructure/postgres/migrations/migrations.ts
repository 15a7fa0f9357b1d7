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
import { whoSuppressed } from "./0027-who-suppressed.ts";
import { sessions as signIns } from "./0028-sessions.ts";
import { phones } from "./0030-phones.ts";
import { sessions } from "./0031-sessions.ts";

/** Every migration by its name; they run in the order of their names. A part adds its own line here. The numbers 0004 and 0010 were never used and must not be used now: kysely refuses a migration
 * whose name comes before one that was applied already. */
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
  "0027-who-suppressed": whoSuppressed,
  "0028-sessions": signIns,
  "0030-phones": phones,
  "0031-sessions": sessions,
};
