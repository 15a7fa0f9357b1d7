/** Types of which each call or contact has an event, beside those that begin with Call. */
const FREQUENT = [
  ...["ContactDialed", "ContactSucceeded", "ContactCallbackScheduled", "ContactAttemptFailed"],
  ...["ContactSkipped", "ContactHeld", "LateCarrierEventRecorded"],
];

/** Whether a campaign, a squad, a list or an owner has only a few events of a type. */
export function isRare(type: string): boolean {
  return !type.startsWith("Call") && !FREQUENT.includes(type);
}

/** The same in SQL. It never changes: PostgreSQL takes the index of migration 0077 for this text only. */
export const IS_RARE = `type not like 'Call%' and type not in (${FREQUENT.map((type) => `'${type}'`).join(", ")})`;
