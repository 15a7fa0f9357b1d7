import type { EligibilityCheck } from "../../domain/policy/policy.ts";
import type { ApiDeps } from "../deps.ts";
import { validationError } from "../errors.ts";
import { URL_PROBLEMS } from "../url-problems.ts";

/** The address as it is stored and asked; a problem of the body at `path` where it may not be asked. */
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
