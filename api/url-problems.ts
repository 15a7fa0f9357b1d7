import type { WebhookUrlRefusal } from "../application/ports/webhook-settings.ts";

/** Why a URL is refused, for its author. */
export const URL_PROBLEMS: Readonly<Record<WebhookUrlRefusal, string>> = {
  not_a_url: "Must be a URL",
  scheme_not_allowed: "Must begin with https://",
  credentials_in_url: "Must not hold a user or a password",
  port_not_allowed: "Must use port 443, 80 or one from 1024 on",
  address_not_allowed: "Must lead to a public address",
  host_not_found: "Names a host that cannot be found",
};
