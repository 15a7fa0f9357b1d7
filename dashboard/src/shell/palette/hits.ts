export type Hit = {
  readonly id: string;
  readonly title: string;
  readonly campaignId?: string;
  readonly at: string;
};
export const KINDS = ["campaigns", "contacts", "calls", "assistants", "squads", "phoneNumbers"] as const;
export type Kind = (typeof KINDS)[number];

/** The page of a hit; null: none. */
export function pathOf(kind: Kind, { id, campaignId }: Hit): string | null {
  switch (kind) {
    case "campaigns":
      return `/campaigns/${id}`;
    case "contacts":
      return campaignId === undefined ? null : `/campaigns/${campaignId}?contact=${id}`;
    case "calls":
      return `/calls/${id}`;
    case "assistants":
      return `/assistants/${id}`;
    case "squads":
      return `/squads/${id}`;
    case "phoneNumbers":
      return "/phone-numbers";
  }
}

/** A complete telephone number in the typed text; null: there is none. */
export function numberIn(q: string): string | null {
  const digits = q.replaceAll(/[\s()-]/g, "");
  return /^\+[1-9]\d{6,14}$/.test(digits) ? digits : null;
}
