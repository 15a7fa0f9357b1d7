import type { Scope } from "../api/session.ts";
import type { TextKey } from "../texts/en.ts";

/** An entry of the rail. Hidden without its scope; null: for everybody. */
export type Place = { readonly path: string; readonly text: TextKey; readonly scope: Scope | null };
type Group = { readonly text: TextKey; readonly places: readonly Place[] };

/** In the order of the rail. */
export const PLACES: readonly Group[] = [
  {
    text: "nav.run",
    places: [
      { path: "/", text: "nav.overview", scope: null },
      { path: "/campaigns", text: "nav.campaigns", scope: "campaigns:read" },
      { path: "/calls", text: "nav.calls", scope: "calls:read" },
      { path: "/numbers", text: "nav.numbers", scope: "calls:read" },
      { path: "/policy", text: "nav.policy", scope: "account:read" },
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
  {
    text: "nav.connect",
    places: [
      { path: "/webhooks", text: "nav.webhooks", scope: "webhooks:*" },
      { path: "/deliveries", text: "nav.deliveries", scope: "webhooks:*" },
      { path: "/events", text: "nav.events", scope: "events:read" },
      { path: "/api-keys", text: "nav.api-keys", scope: "admin" },
    ],
  },
  {
    text: "nav.account",
    places: [
      { path: "/credits", text: "nav.credits", scope: "account:read" },
      { path: "/connections", text: "nav.connections", scope: "admin" },
      { path: "/privacy", text: "nav.privacy", scope: "admin" },
      { path: "/users", text: "nav.users", scope: "operator" },
    ],
  },
];
