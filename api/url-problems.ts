import type { WebhookUrlRefusal } from "../application/ports/webhook-settings.ts";
import type { EligibilityCheck } from "../domain/policy/policy.ts";
import type { ApiDeps } from "./deps.ts";
import { validationError } from "./errors.ts";

/** Why a URL is refused, for its author. */
export const URL_PROBLEMS: Readonly<Record<WebhookUrlRefusal, string>> = {
  not_a_url: "Must be a URL",
  scheme_not_allowed: "Must begin with https://",
  credentials_in_url: "Must not hold a user or a password",
  port_not_allowed: "Must use port 443, 80 or one from 1024 on",
  address_not_allowed: "Must lead to a public address",
  host_not_found: "Names a host that cannot be found",
};

/** The address as it is stored, asked before dials; a problem of the body at `path` if it may not be. */
export async function askedAddress(
  { eligibility }: Pick<ApiDeps, "eligibility">,
  url: string,
  path: readonly string[],
): Promise<string> {
  const judged = await eligibility.judgeUrl(url);
  if ("url" in judged) return judged.url;
  throw validationError("The request body", [{ path, message: URL_PROBLEMS[judged.refused] }]);
}

/** The part of a body with its address as it is stored; it may be left out, or null. */
export async function withAskedAddress<
  Body extends { readonly eligibility?: EligibilityCheck | null | undefined },
>(deps: Pick<ApiDeps, "eligibility">, body: Body): Promise<Body> {
  const { eligibility } = body;
  if (eligibility === undefined || eligibility === null) return body;
  const url = await askedAddress(deps, eligibility.url, ["eligibility", "url"]);
  return { ...body, eligibility: { ...eligibility, url } };
}
