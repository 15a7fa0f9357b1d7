import { readFileSync } from "node:fs";
import { getAllCountries } from "countries-and-timezones";
import { getCountries } from "libphonenumber-js/max";
import { expect, it } from "vitest";
import { ZONE_DATA, ZONES_OF_COUNTRIES } from "../../../domain/shared/zones-of-countries.ts";
import { isKnownZone } from "../../../domain/window/call-window.ts";

/**
 * Countries of phone numbers that the package does not have, with the zone that CLDR and the IANA database
 * give them: Ascension and Tristan da Cunha keep the time of Saint Helena, Kosovo that of Belgrade.
 */
const BESIDE_THE_PACKAGE: Readonly<Record<string, readonly string[]>> = {
  AC: ["Atlantic/St_Helena"],
  TA: ["Atlantic/St_Helena"],
  XK: ["Europe/Belgrade"],
};

const { devDependencies } = JSON.parse(
  readFileSync(new URL("../../../package.json", import.meta.url), "utf8"),
) as { readonly devDependencies: Readonly<Record<string, string>> };

const ofThePackage = Object.values(getAllCountries())
  .filter(({ timezones }) => timezones.length > 0)
  .map(({ id, timezones }) => [id, timezones] as const);
const all = [...ofThePackage, ...Object.entries(BESIDE_THE_PACKAGE)].toSorted(([a], [b]) => (a < b ? -1 : 1));

it("is what the package says: vitest -u writes it again", async () => {
  const rows = all.map(([country, zones]) => `  ${country}: "${zones.toSorted().join(" ")}",\n`);
  const version = devDependencies["countries-and-timezones"];
  await expect(`/*
 * Written by test/domain/shared/zones-of-countries.test.ts from the package that ZONE_DATA names.
 */

/** Package and version of the table. */
export const ZONE_DATA = "countries-and-timezones@${version}";

/** The zones of each country by ISO 3166-1, divided by spaces: names of the IANA database, no aliases. */
export const ZONES_OF_COUNTRIES: Readonly<Record<string, string>> = {
${rows.join("")}};
`).toMatchFileSnapshot("../../../domain/shared/zones-of-countries.ts");
});

it("has the zones of every country that a number can have, each known to this machine", () => {
  expect(getCountries().filter((country) => ZONES_OF_COUNTRIES[country] === undefined)).toEqual([]);
  const names = Object.values(ZONES_OF_COUNTRIES).flatMap((zones) => zones.split(" "));
  expect(names.filter((name) => !isKnownZone(name))).toEqual([]);
  expect(names.length).toBeGreaterThan(400);
});

it("adds to the package only what it lacks", () => {
  expect(ofThePackage.filter(([country]) => country in BESIDE_THE_PACKAGE)).toEqual([]);
});

it("names the exact version", () => {
  expect(ZONE_DATA).toMatch(/^countries-and-timezones@\d+\.\d+\.\d+$/);
});
