/** What the URL of a campaign says. `at`, `since`: ISO instants; absent `at`: now. */
export type CampaignSearch = {
  readonly at?: string;
  readonly since?: string;
  readonly status?: string;
  readonly q?: string;
  readonly contact?: string;
};

const instantOf = (value: unknown): string | undefined => {
  const text = String(value ?? "");
  return text !== "" && !Number.isNaN(Date.parse(text)) ? new Date(text).toISOString() : undefined;
};
const textOf = (value: unknown): string | undefined => {
  const text = String(value ?? "");
  return text === "" ? undefined : text;
};

export function campaignSearch(given: Readonly<Record<string, unknown>>): CampaignSearch {
  const values = {
    at: instantOf(given["at"]),
    since: instantOf(given["since"]),
    status: textOf(given["status"]),
    q: textOf(given["q"]),
    contact: textOf(given["contact"]),
  };
  return withoutAbsent(values);
}

function withoutAbsent<Values extends object>(
  values: Values,
): { [Key in keyof Values]?: NonNullable<Values[Key]> } {
  const kept: { [Key in keyof Values]?: NonNullable<Values[Key]> } = {};
  for (const key of Object.keys(values) as (keyof Values)[]) {
    const value = values[key];
    if (value !== undefined && value !== null) kept[key] = value;
  }
  return kept;
}
