import rateLimit from "@fastify/rate-limit";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Api } from "./api.ts";
import type { ApiDeps } from "./deps.ts";
import { ApiError } from "./errors.ts";

type Bucket = { tokens: number; at: number };
type Limits = ApiDeps["settings"]["rateLimit"];

/** The rest of each key's burst; full buckets are dropped. */
function tokenBuckets({ perSecond, burst }: Limits, monotonicMillis: () => number) {
  const buckets = new Map<string, Bucket>();
  const tokensNow = ({ tokens, at }: Bucket, now: number) =>
    Math.min(burst, tokens + ((now - at) / 1000) * perSecond);

  const forgetFull = (now: number) => {
    for (const [key, bucket] of buckets) if (tokensNow(bucket, now) >= burst) buckets.delete(key);
  };

  return (key: string): { current: number; ttl: number } => {
    const now = monotonicMillis();
    if (buckets.size > 10_000) forgetFull(now);
    const tokens = tokensNow(buckets.get(key) ?? { tokens: burst, at: now }, now);
    const allowed = tokens >= 1;
    const left = allowed ? tokens - 1 : tokens;
    buckets.set(key, { tokens: left, at: now });
    const wanted = allowed ? burst : 1;
    return {
      current: allowed ? burst - Math.floor(left) : burst + 1,
      ttl: Math.ceil(((wanted - left) / perSecond) * 1000),
    };
  };
}

export type RateLimiter = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** RATE_LIMIT_PER_SECOND with RATE_LIMIT_BURST for each API key (docs/api.md §2); 0 switches it off. */
export function createRateLimiter(api: Api, { settings, clock }: ApiDeps): RateLimiter {
  const { perSecond, burst } = settings.rateLimit;
  if (perSecond === 0) return async () => undefined;
  const take = tokenBuckets(settings.rateLimit, () => clock.monotonicMillis());

  class TokenBucketStore {
    incr(key: string, done: (error: Error | null, result?: { current: number; ttl: number }) => void) {
      done(null, take(key));
    }
    child() {
      return this;
    }
  }

  api.register(rateLimit, {
    global: false,
    max: burst,
    timeWindow: Math.ceil((burst / perSecond) * 1000),
    keyGenerator: (request) => request.caller?.actor ?? "",
    store: TokenBucketStore,
  });
  let check: ReturnType<Api["createRateLimit"]> | null = null;
  return async (request, reply) => {
    check ??= api.createRateLimit();
    const result = await check(request);
    if (result.isAllowed) return;
    reply.headers({
      "RateLimit-Limit": result.max,
      "RateLimit-Remaining": result.remaining,
      "RateLimit-Reset": result.ttlInSeconds,
    });
    if (!result.isExceeded) return;
    throw new ApiError("RATE_LIMIT_EXCEEDED", `More than ${perSecond} requests a second with this key`, {
      headers: { "Retry-After": String(Math.max(1, result.ttlInSeconds)) },
    });
  };
}
