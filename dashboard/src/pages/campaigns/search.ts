/** State of the list in the URL. */
export type CampaignsSearch = { readonly q?: string; readonly status?: string };

export function campaignsSearch(given: Readonly<Record<string, unknown>>): CampaignsSearch {
  const q = String(given["q"] ?? "");
  const status = String(given["status"] ?? "");
  return { ...(q === "" ? {} : { q }), ...(status === "" ? {} : { status }) };
}
