/** What a policy says, a sentence for each rule. */
export const en = {
  callableHours: "People are called: {hours}",
  attemptsPerNumber: "A number is dialled at most {limits}, by all campaigns and single calls together.",
  "attempts.day": "{count} {count|time|times} a day",
  "attempts.week": "{count} {count|time|times} a week",
  "attempts.month": "{count} {count|time|times} a month",
  oneCallAtATime: "A number that is in a call is not dialled a second time.",
  requireConsent: "Only people who agreed to it are called.",
  listMaxAgeDays:
    "Nobody is called while a registry list is older than {days} {days|day|days}, or while there is none.",
  eligibility: "Before each dial this address is asked, and answers within {seconds}:",
  exceptSingleCalls:
    "Single calls are held only to the lists and to one call at a time. They count all the same.",
  adds: "Beside that the policy holds, for all campaigns and single calls together:",
  "adds.look": "Look at it",
  "kind.own": "Your own",
  "kind.registry": "Registry",
  "kind.litigators": "People who sue",
  "kind.other": "Other",
  none: "No rule: nobody is held back.",
} as const;
export type PolicyKey = keyof typeof en;
