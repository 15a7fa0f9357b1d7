import type { TextKey } from "../texts/en.ts";

/** A place of the rail. Without its scope it is not there. */
export type Place = { readonly path: string; readonly text: TextKey; readonly scope: string };
type Group = { readonly text: TextKey; readonly places: readonly Place[] };

/** In the order of the rail. A page stands here when it is done. */
export const PLACES: readonly Group[] = [
  {
    text: "nav.run",
    places: [
      { path: "/calls", text: "nav.calls", scope: "calls:read" },
      { path: "/do-not-call", text: "nav.do-not-call", scope: "calls:read" },
    ],
  },
  {
    text: "nav.build",
    places: [
      { path: "/assistants", text: "nav.assistants", scope: "assistants:*" },
      { path: "/squads", text: "nav.squads", scope: "squads:read" },
      { path: "/tools", text: "nav.tools", scope: "tools:read" },
      { path: "/phone-numbers", text: "nav.phone-numbers", scope: "phone-numbers:*" },
    ],
  },
  { text: "nav.connect", places: [{ path: "/events", text: "nav.events", scope: "events:read" }] },
  {
    text: "nav.account",
    places: [
      { path: "/credits", text: "nav.credits", scope: "account:read" },
      { path: "/users", text: "nav.users", scope: "operator" },
    ],
  },
];
