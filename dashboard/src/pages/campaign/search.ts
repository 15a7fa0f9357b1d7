/** State of a campaign's page in the URL. `at`, `since`: ISO instants; absent `at`: now. */
export type CampaignSearch = {
  readonly at?: string | undefined;
  readonly since?: string | undefined;
  readonly status?: string | undefined;
  /** What calls brought home, as the API's query has it: `success=true`, `outcome.confirmed=true`. */
  readonly brought?: string | undefined;
  readonly q?: string | undefined;
  readonly contact?: string | undefined;
};

const instantOf = (value: unknown): string | undefined => {
  const text = String(value ?? "");
  return text !== "" && !Number.isNaN(Date.parse(text)) ? new Date(text).toISOString() : undefined;
};
const textOf = (value: unknown): string | undefined => {
  const text = String(value ?? "");
  return text === "" ? undefined : text;
};

/** Every name is answered: the router keeps what is not named as it was given. */
export function campaignSearch(given: Readonly<Record<string, unknown>>): CampaignSearch {
  return {
    at: instantOf(given["at"]),
    since: instantOf(given["since"]),
    status: textOf(given["status"]),
    brought: textOf(given["brought"]),
    q: textOf(given["q"]),
    contact: textOf(given["contact"]),
  };
}
