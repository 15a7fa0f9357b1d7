import { fastifyCookie } from "@fastify/cookie";
import type { FastifyRequest } from "fastify";
import type { DashboardSettings } from "./deps.ts";

const NAME = "ringfold_session";
/** A session ends before that; the cookie is removed then at the latest. */
const MAX_AGE_SECONDS = 604_800;

/** With https the prefix makes browsers refuse such a cookie from another host or from http. */
export function cookieName({ publicUrl }: DashboardSettings): string {
  return isHttps(publicUrl) ? `__Host-${NAME}` : NAME;
}

export function tokenOf(
  { headers }: Pick<FastifyRequest, "headers">,
  dashboard: DashboardSettings,
): string | null {
  if (headers.cookie === undefined) return null;
  return fastifyCookie.parse(headers.cookie)[cookieName(dashboard)] ?? null;
}

/** `token` null: removes the cookie. */
export function cookieOf(dashboard: DashboardSettings, token: string | null): string {
  return fastifyCookie.serialize(cookieName(dashboard), token ?? "", {
    path: "/",
    httpOnly: true,
    sameSite: "strict",
    secure: isHttps(dashboard.publicUrl),
    maxAge: token === null ? 0 : MAX_AGE_SECONDS,
  });
}

function isHttps(publicUrl: string | null): boolean {
  return publicUrl?.startsWith("https:") === true;
}
