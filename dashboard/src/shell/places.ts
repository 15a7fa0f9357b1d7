import type { TextKey } from "../texts/en.ts";

/** A place of the rail. Without its scope it is not there. */
export type Place = { readonly path: string; readonly text: TextKey; readonly scope: string };
type Group = { readonly text: TextKey; readonly places: readonly Place[] };

/** In the order of the rail. A page stands here when it is done. */
export const PLACES: readonly Group[] = [
  { text: "nav.run", places: [{ path: "/campaigns", text: "nav.campaigns", scope: "campaigns:read" }] },
  { text: "nav.build", places: [] },
  {
    text: "nav.connect",
    places: [
      { path: "/webhooks", text: "nav.webhooks", scope: "webhooks:*" },
      { path: "/deliveries", text: "nav.deliveries", scope: "webhooks:*" },
      { path: "/api-keys", text: "nav.api-keys", scope: "admin" },
    ],
  },
  { text: "nav.account", places: [] },
];
