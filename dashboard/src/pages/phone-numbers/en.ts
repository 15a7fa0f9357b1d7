export const en = {
  title: "Phone numbers",
  empty: "No number yet. Calls are made from a number of yours: add the first.",
  add: "Add a number",
  number: "Number",
  label: "Name of your own",
  carrier: "Carrier",
  "carrier.hint": "Left empty: the one of this installation",
  active: "Active",
  inactive: "Not active",
  "active.told": "Calls may be made from it",
  change: "Change",
  remove: "Remove",
  "remove.title": "Remove {number}?",
  "remove.told": "Running campaigns that call from it pause.",
  updated: "Changed",
  actions: "Actions",
} as const;
export type PhoneNumbersKey = keyof typeof en;
