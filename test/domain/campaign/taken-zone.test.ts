import { expect, it } from "vitest";
import { zoneProblem } from "../../../domain/campaign/window/taken-zone.ts";
import { isKnownZone, isWindowOpen, nextOpening } from "../../../domain/window/call-window.ts";

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const THREE_LETTERS = LETTERS.flatMap((a) => LETTERS.flatMap((b) => LETTERS.map((c) => `${a}${b}${c}`)));

/** Links of the file `backward` of the IANA database, and names that ICU adds. */
const ALIASES = [
  ["GB", "GB-Eire", "Eire", "Turkey", "Cuba", "Egypt", "Iran", "Israel", "Japan", "Libya", "NZ", "NZ-CHAT"],
  ["Navajo", "Poland", "Portugal", "Singapore", "Hongkong", "Iceland", "Jamaica", "Kwajalein", "W-SU"],
  ["US/Eastern", "US/Pacific", "US/Pacific-New", "Canada/Newfoundland", "Brazil/East", "Mexico/General"],
  [
    "Chile/Continental",
    "EST5EDT",
    "CST6CDT",
    "MST7MDT",
    "PST8PDT",
    "Etc/UTC",
    "Etc/Zulu",
    "Zulu",
    "Universal",
  ],
  ["Greenwich", "Etc/Greenwich", "SystemV/EST5EDT", "SystemV/PST8PDT"],
].flat();
const OFFSETS = [
  ["EST", "MST", "HST", "est", "Etc/GMT+3", "Etc/GMT-14", "Etc/GMT0", "GMT0", "GMT+3", "UTC+3", "UTC+03:00"],
  ["SystemV/EST5", "SystemV/HST10", "+03:00", "-0500", "+3", "etc/gmt+3"],
].flat();

it("takes every place that this machine knows, in any case, and UTC", () => {
  const places = Intl.supportedValuesOf("timeZone").filter((name) => /^(?!Etc\/)[A-Z][a-z]+\//.test(name));
  expect(places.length).toBeGreaterThan(400);
  const newer = [
    "Europe/Kyiv",
    "Asia/Kolkata",
    "America/Argentina/Buenos_Aires",
    "Asia/Istanbul",
    "Arctic/Longyearbyen",
  ];
  const taken = [...places, ...places.map((name) => name.toLowerCase()), ...newer, "UTC", "utc"];
  expect(taken.filter((name) => zoneProblem(name) !== null)).toEqual([]);
});

it("takes no name of three letters but UTC: to the library BST is Dhaka, IST Calcutta and CST Chicago", () => {
  const judged = THREE_LETTERS.map((name) => ({ name, problem: zoneProblem(name) }));
  expect(judged.filter(({ problem }) => problem === null).map(({ name }) => name)).toEqual(["UTC"]);
  const aliases = judged.filter(({ problem }) => problem === "alias").map(({ name }) => name);
  expect(aliases).toEqual(
    expect.arrayContaining(["BST", "IST", "ECT", "SST", "CNT", "NET", "PST", "CST", "GMT"]),
  );
});

it("takes no alias, which stands for another place or for none", () => {
  expect(ALIASES.map((name) => [name, zoneProblem(name)])).toEqual(ALIASES.map((name) => [name, "alias"]));
});

it("says of an offset that it has no summer time", () => {
  expect(OFFSETS.map((name) => [name, zoneProblem(name)])).toEqual(
    OFFSETS.map((name) => [name, "no_summer_time"]),
  );
});

it("knows no other name", () => {
  for (const name of [
    "",
    "Mars/Olympus",
    "Europe/Nowhere",
    "Europe/",
    " Europe/Rome",
    "Europe/Rome ",
    "Etc/Unknown",
  ])
    expect(zoneProblem(name), name).toBe("unknown");
});

it("goes on judging a campaign of the log by the zone that it was given when aliases were taken", () => {
  const window = { start: 9, end: 18 };
  for (const name of ["BST", "EST", "Etc/GMT+3", "GB"]) expect(isKnownZone(name), name).toBe(true);
  expect(isWindowOpen("EST", window, "2026-07-01T13:59:59.999Z")).toBe(false);
  expect(isWindowOpen("EST", window, "2026-07-01T14:00:00.000Z")).toBe(true);
  expect(nextOpening("BST", window, "2026-07-01T00:00:00.000Z")).toBe("2026-07-01T03:00:00.000Z");
});
