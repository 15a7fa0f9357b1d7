import type { FastifyRequest } from "fastify";
import type { DashboardSettings } from "./deps.ts";
import { ApiError } from "./errors.ts";

/**
 * A browser says where a request comes from: in Sec-Fetch-Site, or in Origin for plain http. One from another
 * site is refused. `silent`: what to do with a request that has neither, which our own page never sends.
 */
export function refuseOtherSites(
  { headers }: Pick<FastifyRequest, "headers">,
  { publicUrl }: DashboardSettings,
  silent: "allowed" | "refused",
): void {
  const site = headers["sec-fetch-site"];
  const { origin } = headers;
  if (site === undefined && origin === undefined && silent === "allowed") return;
  if (site === undefined ? isOurs(origin, headers.host, publicUrl) : site === "same-origin") return;
  throw new ApiError("CROSS_SITE", "With a session, only pages of this service may send this request");
}

/** Whether an Origin is this service's own; without PUBLIC_URL it is compared with the Host. */
export function isOurs(
  origin: string | undefined,
  host: string | undefined,
  publicUrl: string | null,
): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false;
  const from = new URL(origin);
  return publicUrl === null ? from.host === host : from.origin === new URL(publicUrl).origin;
}
