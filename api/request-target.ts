const ABSOLUTE = /^https?:\/\/[^/?#]*/i;
const UNRESERVED = /%(?:2[de]|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/gi;

/**
 * Normalises the target of a request to path and query: without scheme and host (RFC 9112 §3.2.2), and
 * without `%` for characters that need none in a path (RFC 3986 §6.2.2.2). So everything that leads to a
 * route is checked like the route's own path.
 */
export function plainTarget(target: string): string {
  const local = target.replace(ABSOLUTE, "");
  const [path = "", ...query] = local.split("?");
  const plain = path.replace(UNRESERVED, decodeURIComponent);
  return [plain === "" ? "/" : plain, ...query].join("?");
}
