/** State of a campaign's page in the URL. `at`, `since`: ISO instants; absent `at`: now. */
export type CampaignSearch = {
  readonly at?: string;
  readonly since?: string;
  readonly status?: string;
  /** What calls brought home, as the API's query has it: `success=true`, `outcome.confirmed=true`. */
  readonly brought?: string;
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
  const at = instantOf(given["at"]);
  const since = instantOf(given["since"]);
  const status = textOf(given["status"]);
  const brought = textOf(given["brought"]);
  const q = textOf(given["q"]);
  const contact = textOf(given["contact"]);
  return {
    ...(at === undefined ? {} : { at }),
    ...(since === undefined ? {} : { since }),
    ...(status === undefined ? {} : { status }),
    ...(brought === undefined ? {} : { brought }),
    ...(q === undefined ? {} : { q }),
    ...(contact === undefined ? {} : { contact }),
  };
}
