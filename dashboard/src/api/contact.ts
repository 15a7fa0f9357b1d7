/** The fields of a campaign's contact that never change. */
export type Contact = {
  readonly id: string;
  readonly phoneNumber: string;
  readonly name: string | null;
  readonly customData: Readonly<Record<string, unknown>>;
  readonly timezone: string | null;
  readonly externalId: string | null;
};
