import { describe, expect, it } from "vitest";
import {
  addressPolicy,
  judgeAddress,
  judgeAnswers,
  judgeUrl,
  judgeUrlAndName,
} from "../../../infrastructure/http/address-guard.ts";

const closed = addressPolicy([]);
const development = addressPolicy(["127.0.0.0/8", "::1/128"]);

const REFUSED_HOSTS: readonly [host: string, what: string][] = [
  ["0.0.0.0", "this host"],
  ["0.1.2.3", "this network"],
  ["0", "this host as a number"],
  ["10.0.0.1", "private"],
  ["10.255.255.255", "private, last"],
  ["012.0.0.1", "private in octal"],
  ["0xa.0.0.1", "private in hex"],
  ["167772161", "private as one decimal"],
  ["100.64.0.1", "carrier-grade NAT"],
  ["100.127.255.254", "carrier-grade NAT, last"],
  ["100.100.100.200", "metadata of a cloud"],
  ["127.0.0.1", "loopback"],
  ["127.1", "loopback, short"],
  ["127.255.255.254", "loopback, last"],
  ["2130706433", "loopback as one decimal"],
  ["0x7f000001", "loopback as one hex"],
  ["017700000001", "loopback as one octal"],
  ["0177.0.0.1", "loopback in octal"],
  ["0x7f.0x0.0x0.0x1", "loopback in hex"],
  ["127.0.0.1.", "loopback with a dot at its end"],
  ["%31%32%37.0.0.1", "loopback percent-encoded"],
  ["①②⑦.0.0.1", "loopback in circled digits"],
  ["１２７.0.0.1", "loopback in wide digits"],
  ["169.254.169.254", "metadata, link-local"],
  ["0xa9fea9fe", "metadata as one hex"],
  ["2852039166", "metadata as one decimal"],
  ["169.254.0.1", "link-local"],
  ["172.16.0.1", "private"],
  ["172.31.255.254", "private, last"],
  ["192.168.0.1", "private"],
  ["192.168.257", "private, three parts"],
  ["192.0.0.192", "metadata of a cloud in 192.0.0.0/24"],
  ["192.0.2.1", "documentation 1"],
  ["192.31.196.1", "AS112"],
  ["192.52.193.1", "AMT"],
  ["192.88.99.1", "6to4 relay"],
  ["192.175.48.1", "AS112 direct"],
  ["198.18.0.1", "benchmarking"],
  ["198.19.255.254", "benchmarking, last"],
  ["198.51.100.1", "documentation 2"],
  ["203.0.113.1", "documentation 3"],
  ["224.0.0.1", "multicast"],
  ["239.255.255.255", "multicast, last"],
  ["240.0.0.1", "reserved"],
  ["255.255.255.255", "broadcast"],
  ["[::]", "unspecified"],
  ["[::1]", "loopback"],
  ["[0:0:0:0:0:0:0:1]", "loopback written out"],
  ["[::127.0.0.1]", "IPv4-compatible loopback"],
  ["[::7f00:1]", "IPv4-compatible loopback in hex"],
  ["[::ffff:127.0.0.1]", "IPv4-mapped loopback"],
  ["[::ffff:7f00:1]", "IPv4-mapped loopback in hex"],
  ["[::ffff:a9fe:a9fe]", "IPv4-mapped metadata"],
  ["[::ffff:0:127.0.0.1]", "IPv4-translated"],
  ["[64:ff9b::127.0.0.1]", "NAT64 of loopback"],
  ["[64:ff9b::8.8.8.8]", "NAT64 of a public one"],
  ["[64:ff9b:1::1]", "NAT64 for local use"],
  ["[100::1]", "discard"],
  ["[2001::1]", "Teredo"],
  ["[2001:2::1]", "benchmarking"],
  ["[2001:3::1]", "AMT"],
  ["[2001:10::1]", "ORCHID"],
  ["[2001:20::1]", "ORCHID 2"],
  ["[2001:db8::1]", "documentation"],
  ["[2002:7f00:1::]", "6to4 of loopback"],
  ["[2002:a00:1::1]", "6to4 of a private one"],
  ["[3fff::1]", "documentation, new"],
  ["[4000::1]", "not assigned"],
  ["[5f00::1]", "segment routing"],
  ["[fc00::1]", "unique local"],
  ["[fd00:ec2::254]", "metadata, unique local"],
  ["[fe80::1]", "link-local"],
  ["[fec0::1]", "site-local"],
  ["[ff02::1]", "multicast"],
];

const ALLOWED_HOSTS = [
  "1.1.1.1",
  "8.8.8.8",
  "9.255.255.255",
  "11.0.0.1",
  "100.63.255.255",
  "100.128.0.1",
  "126.255.255.255",
  "128.0.0.1",
  "172.15.255.255",
  "172.32.0.1",
  "192.167.255.255",
  "198.20.0.1",
  "223.255.255.255",
  "134744072",
  "[2606:4700:4700::1111]",
  "[2a00:1450:4001::200e]",
  "[::ffff:8.8.8.8]",
];

describe("judgeUrl", () => {
  it.each(REFUSED_HOSTS)("refuses %s (%s)", (host) => {
    expect(judgeUrl(closed, `https://${host}/hook`)).toEqual({
      allowed: false,
      reason: "address_not_allowed",
    });
  });

  it.each(ALLOWED_HOSTS)("allows the public address %s", (host) => {
    expect(judgeUrl(closed, `https://${host}/hook`).allowed).toBe(true);
  });

  it.each([
    ["http://8.8.8.8/", "scheme_not_allowed"],
    ["http://example.com/", "scheme_not_allowed"],
    ["ftp://example.com/", "scheme_not_allowed"],
    ["file:///etc/passwd", "scheme_not_allowed"],
    ["https://user@example.com/", "credentials_in_url"],
    ["https://user:secret@example.com/", "credentials_in_url"],
    ["https://:secret@example.com/", "credentials_in_url"],
    ["https://example.com:22/", "port_not_allowed"],
    ["https://example.com:1023/", "port_not_allowed"],
    ["https://example.com:0/", "port_not_allowed"],
    ["https://[fe80::1%25eth0]/", "not_a_url"],
    ["https://", "not_a_url"],
    ["example.com", "not_a_url"],
    ["", "not_a_url"],
  ])("refuses %s as %s", (url, reason) => {
    expect(judgeUrl(closed, url)).toEqual({ allowed: false, reason });
  });

  it.each([
    "https://example.com/",
    "https://example.com:443/a?b=c",
    "https://example.com:80/",
    "https://example.com:1024/",
  ])("allows %s", (url) => expect(judgeUrl(closed, url).allowed).toBe(true));

  it.each([
    "http://127.0.0.1:8080/",
    "http://[::1]:8080/",
    "http://[::ffff:127.0.0.1]:8080/",
    "https://127.9.9.9:8443/",
  ])("allows %s when its range is opened", (url) => expect(judgeUrl(development, url).allowed).toBe(true));

  it.each(["http://10.0.0.1/", "https://192.168.1.1/", "https://[::2]/"])(
    "keeps %s closed beside an opened range",
    (url) => {
      expect(judgeUrl(development, url)).toEqual({ allowed: false, reason: "address_not_allowed" });
    },
  );

  it("refuses plain http to a public address although a range is opened", () => {
    expect(judgeUrl(development, "http://8.8.8.8/")).toEqual({
      allowed: false,
      reason: "scheme_not_allowed",
    });
  });
});

describe("judgeAnswers", () => {
  it("refuses a mixture of public and private answers", () => {
    expect(judgeAnswers(closed, "https:", ["8.8.8.8", "10.0.0.1"])).toBe(false);
  });

  it("refuses a name without answers", () => expect(judgeAnswers(closed, "https:", [])).toBe(false));

  it("refuses an answer that is no address", () =>
    expect(judgeAddress(closed, "example.com")).toBe("refused"));

  it("allows plain http only when every answer is in an opened range", () => {
    expect(judgeAnswers(development, "http:", ["127.0.0.1", "::1"])).toBe(true);
    expect(judgeAnswers(development, "http:", ["127.0.0.1", "8.8.8.8"])).toBe(false);
  });
});

describe("judgeUrlAndName", () => {
  const answering = (addresses: string[]) => () => Promise.resolve(addresses);

  it("refuses a name that resolves to a private address", async () => {
    const verdict = await judgeUrlAndName(closed, answering(["192.168.1.1"]), "https://intern.example/");
    expect(verdict).toEqual({ allowed: false, reason: "address_not_allowed" });
  });

  it("refuses a name that does not resolve", async () => {
    const verdict = await judgeUrlAndName(
      closed,
      () => Promise.reject(new Error("ENOTFOUND")),
      "https://no.example/",
    );
    expect(verdict).toEqual({ allowed: false, reason: "host_not_found" });
  });

  it("allows a name whose answers are all public", async () => {
    const verdict = await judgeUrlAndName(
      closed,
      answering(["8.8.8.8", "2606:4700::1111"]),
      "https://ok.example/",
    );
    expect(verdict.allowed).toBe(true);
  });

  it("refuses plain http to a name outside the opened ranges", async () => {
    const verdict = await judgeUrlAndName(development, answering(["8.8.8.8"]), "http://ok.example/");
    expect(verdict).toEqual({ allowed: false, reason: "scheme_not_allowed" });
  });
});

describe("addressPolicy", () => {
  it("names the entry that is no range", () => {
    expect(() => addressPolicy(["127.0.0.0/8", "banana"])).toThrow('"banana" is not an address range');
  });
});
