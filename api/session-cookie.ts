import { fastifyCookie } from "@fastify/cookie";
import type { FastifyRequest } from "fastify";
import type { DashboardSettings } from "./deps.ts";

const NAME = "ringfold_session";
/** A session ends before; the cookie is gone then at the latest. */
const MAX_AGE_SECONDS = 604_800;

/** Under https the browser sees to it that no other host and no page of http sets it. */
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

/** `token` null: takes the cookie away. */
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
