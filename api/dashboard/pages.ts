import type { FastifyReply, FastifyRequest } from "fastify";
import type { DashboardFile, DashboardFiles } from "../../application/ports/dashboard-files.ts";
import type { Api } from "../api.ts";
import { ApiError } from "../errors.ts";

/** Only the dashboard's own scripts, styles and fonts; no other host. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "media-src 'self' blob:",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");
const PERMISSIONS =
  "accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(self), payment=(), usb=()";
const HALF_A_YEAR = 15_552_000;

export type DashboardPages = {
  readonly files: DashboardFiles;
  /** PUBLIC_URL is https: browsers are told to keep it (HSTS). */
  readonly overHttps: boolean;
};

/** Whether the request is for a page: its Accept has text/html. */
export function wantsPage({ method, headers }: FastifyRequest): boolean {
  return (method === "GET" || method === "HEAD") && headers.accept?.includes("text/html") === true;
}

/** The same page for every path of the dashboard, which has its own router. */
export function sendPage(
  { files, overHttps }: DashboardPages,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  secure(reply, overHttps).header("Cache-Control", "no-cache").header("Vary", "Accept, Accept-Encoding");
  const page = files.page();
  if (page !== null) return sendFile(page, request, reply);
  reply.code(503).header("Retry-After", "2").type("text/html; charset=utf-8");
  return reply.send(notBuilt(files.problem()));
}

/**
 * `/assets/*`: names change with their content. An unknown one is 404, never the page: an old tab would hang.
 */
export function registerAssets(api: Api, { files, overHttps }: DashboardPages): void {
  api.get("/assets/:name", { schema: { hide: true } }, async (request, reply) => {
    const { name } = request.params as { readonly name: string };
    const file = files.asset(name);
    if (file === null) throw new ApiError("NOT_FOUND", "No such file");
    secure(reply, overHttps)
      .header("Cache-Control", "public, max-age=31536000, immutable")
      .header("Vary", "Accept-Encoding");
    return sendFile(file, request, reply);
  });
}

function sendFile(
  { identity, brotli, contentType, etag }: DashboardFile,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply.header("ETag", etag);
  if (headers["if-none-match"] === etag) return reply.code(304).send();
  const compressed = /\bbr\b/.test(String(headers["accept-encoding"] ?? "")) ? brotli : null;
  if (compressed !== null) reply.header("Content-Encoding", "br");
  return reply.type(contentType).send(Buffer.from(compressed ?? identity));
}

function secure(reply: FastifyReply, overHttps: boolean): FastifyReply {
  reply.header("Content-Security-Policy", POLICY).header("Permissions-Policy", PERMISSIONS);
  reply.header("X-Content-Type-Options", "nosniff").header("Referrer-Policy", "same-origin");
  if (overHttps) reply.header("Strict-Transport-Security", `max-age=${HALF_A_YEAR}`);
  return reply;
}

function notBuilt(problem: string | null): string {
  const line =
    problem === null
      ? "The dashboard is being built; this page loads again by itself."
      : `The dashboard could not be built: ${problem}`;
  const text = line.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="2"><title>Ringfold</title><main><h1>Ringfold</h1><p>${text}</p><p><a href="/docs">The API</a> works meanwhile.</p></main></html>\n`;
}
