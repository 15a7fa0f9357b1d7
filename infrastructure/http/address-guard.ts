import ipaddr from "ipaddr.js";

type Range = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Ranges that `WEBHOOK_ALLOW_CIDRS` allows although they are not public. */
export type AddressPolicy = { readonly opened: readonly Range[] };

/** `opened`: in a range opened for development, where plain http is allowed as well. */
export type AddressVerdict = "public" | "opened" | "refused";

export type UrlRefusal =
  | "not_a_url"
  | "scheme_not_allowed"
  | "credentials_in_url"
  | "port_not_allowed"
  | "address_not_allowed"
  | "host_not_found";

export type UrlVerdict =
  | { readonly allowed: true; readonly url: URL }
  | { readonly allowed: false; readonly reason: UrlRefusal };

/** Only 2000::/3 is assigned to the public internet; everything else is special or unassigned (IANA). */
const GLOBAL_IPV6: Range = [ipaddr.parse("2000::"), 3];

/**
 * The ranges of `WEBHOOK_ALLOW_CIDRS`; empty: none is opened.
 * @throws Error naming the entry that is no CIDR
 */
export function addressPolicy(cidrs: readonly string[]): AddressPolicy {
  return {
    opened: cidrs.map((cidr) => {
      if (!ipaddr.isValidCIDR(cidr)) throw new Error(`"${cidr}" is not an address range such as 127.0.0.0/8`);
      return ipaddr.parseCIDR(cidr);
    }),
  };
}

/**
 * Checks one resolved address. IPv4-mapped addresses count as the IPv4 address inside; addresses that cannot
 * be read are refused.
 */
export function judgeAddress(policy: AddressPolicy, address: string): AddressVerdict {
  if (!ipaddr.isValid(address)) return "refused";
  const parsed = ipaddr.process(address);
  if (policy.opened.some(([range, bits]) => isWithin(parsed, range, bits))) return "opened";
  if (parsed.range() !== "unicast") return "refused";
  return parsed.kind() === "ipv4" || isWithin(parsed, ...GLOBAL_IPV6) ? "public" : "refused";
}

function isWithin(
  address: ipaddr.IPv4 | ipaddr.IPv6,
  range: ipaddr.IPv4 | ipaddr.IPv6,
  bits: number,
): boolean {
  return address.kind() === range.kind() && address.match(range, bits);
}

/**
 * Checks all answers of one resolution: one forbidden address refuses the whole name, so a mixture of public
 * and private addresses is refused. Plain http needs every address inside an opened range.
 */
export function judgeAnswers(policy: AddressPolicy, protocol: string, addresses: readonly string[]): boolean {
  const verdicts = addresses.map((address) => judgeAddress(policy, address));
  if (verdicts.length === 0 || verdicts.includes("refused")) return false;
  return protocol === "https:" || verdicts.every((verdict) => verdict === "opened");
}

/**
 * The host without brackets if it is an IP literal, null for a name (the URL parser has normalised octal,
 * hex and decimal forms).
 */
export function literalAddress(url: URL): string | null {
  const host = url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname;
  return ipaddr.isValid(host) ? host : null;
}

/**
 * Everything that can be checked without a name server: scheme, credentials, port, and the
 * address of a literal.
 */
export function judgeUrl(policy: AddressPolicy, text: string): UrlVerdict {
  if (!URL.canParse(text)) return { allowed: false, reason: "not_a_url" };
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return { allowed: false, reason: "scheme_not_allowed" };
  if (url.username !== "" || url.password !== "") return { allowed: false, reason: "credentials_in_url" };
  if (!isAllowedPort(url)) return { allowed: false, reason: "port_not_allowed" };
  if (url.protocol === "http:" && policy.opened.length === 0)
    return { allowed: false, reason: "scheme_not_allowed" };
  const literal = literalAddress(url);
  if (literal === null) return { allowed: true, url };
  if (judgeAnswers(policy, url.protocol, [literal])) return { allowed: true, url };
  const onlyTheScheme = judgeAddress(policy, literal) === "public";
  return { allowed: false, reason: onlyTheScheme ? "scheme_not_allowed" : "address_not_allowed" };
}

function isAllowedPort(url: URL): boolean {
  if (url.port === "") return true;
  const port = Number(url.port);
  return port >= 1024 || port === 80 || port === 443;
}

/** Resolves a name to all of its addresses; rejects when there is none. */
export type ResolveName = (hostname: string) => Promise<readonly string[]>;

/** The check at save: as `judgeUrl`, and the name must exist and resolve to allowed addresses only. */
export async function judgeUrlAndName(
  policy: AddressPolicy,
  resolve: ResolveName,
  text: string,
): Promise<UrlVerdict> {
  const verdict = judgeUrl(policy, text);
  if (!verdict.allowed || literalAddress(verdict.url) !== null) return verdict;
  const addresses = await resolve(verdict.url.hostname).catch(() => null);
  if (addresses === null || addresses.length === 0) return { allowed: false, reason: "host_not_found" };
  if (judgeAnswers(policy, verdict.url.protocol, addresses)) return verdict;
  const onlyTheScheme = judgeAnswers(policy, "https:", addresses);
  return { allowed: false, reason: onlyTheScheme ? "scheme_not_allowed" : "address_not_allowed" };
}
