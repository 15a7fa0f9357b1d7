import { readFileSync } from "node:fs";
import fc from "fast-check";
import metadata from "libphonenumber-js/min/metadata";
import { expect, it } from "vitest";
import { parsePhoneNumber } from "../../../domain/shared/phone-number.ts";
import { listedNumber } from "../../../domain/suppression/listed-number.ts";
import { NUMBER_LENGTHS } from "../../../domain/suppression/number-lengths.ts";

/** As the package keeps a country: its possible lengths, its trunk prefix, and the pattern of that prefix. */
const [LENGTHS, PREFIX, PREFIX_PATTERN] = [3, 5, 7];

const { version } = JSON.parse(
  readFileSync(new URL("../../../node_modules/libphonenumber-js/package.json", import.meta.url), "utf8"),
) as { readonly version: string };

function rowOf(code: string, plans: readonly (readonly unknown[])[]): string {
  const lengths = plans.map((plan) => plan[LENGTHS] as readonly number[]);
  const all = [...new Set(lengths.flat())].toSorted((a, b) => a - b);
  const sure = all.filter((length) => lengths.every((each) => each.includes(length)));
  const unsure = all.filter((length) => !sure.includes(length));
  const prefix = String(plans[0]?.[PREFIX_PATTERN] || plans[0]?.[PREFIX] || "").replaceAll("\\", "\\\\");
  return `  ${code}: "${sure.join(" ")};${unsure.join(" ")};${prefix}",\n`;
}

it("is what the package says: vitest -u writes it again", async () => {
  const plans = [
    ...Object.entries(metadata.country_calling_codes).map(
      ([code, countries]) => [code, countries.map((country) => metadata.countries[country] ?? [])] as const,
    ),
    ...Object.entries(metadata.nonGeographic).map(([code, plan]) => [code, [plan]] as const),
  ].toSorted(([a], [b]) => Number(a) - Number(b));
  await expect(`/*
 * Written by test/domain/suppression/number-lengths.test.ts from libphonenumber-js ${version}.
 */

/**
 * By calling code: the lengths of a national number that are possible in all of its countries; those possible
 * in some of them; and the pattern of what may be dialled before it at home.
 */
export const NUMBER_LENGTHS: Readonly<Record<string, string>> = {
${plans.map(([code, of]) => rowOf(code, of)).join("")}};
`).toMatchFileSnapshot("../../../domain/suppression/number-lengths.ts");
});

/** Digits after a calling code that exists: any, and such as begin like what is dialled at home. */
const beginnings = ["", "0", "1", "8", "00", "15", "01115", "0111", "90", "1831", "06", "04", "9"];
const numbers = fc
  .tuple(
    fc.constantFrom(...Object.keys(NUMBER_LENGTHS), "210", "999", "0", "37"),
    fc.constantFrom(...beginnings),
    fc.stringMatching(/^\d{0,13}$/),
  )
  .map(([code, beginning, digits]) => `+${code}${beginning}${digits}`);

it("never says anything but what the package says, for any number", () => {
  let asked = 0;
  let said = 0;
  fc.assert(
    fc.property(numbers, (text) => {
      const quick = listedNumber(text);
      if (quick === "ask") asked += 1;
      else {
        said += 1;
        const parsed = parsePhoneNumber(text);
        expect(quick).toEqual(parsed.ok ? Number(parsed.value.slice(1)) : parsed.reason);
      }
    }),
    { numRuns: 20_000 },
  );
  expect(said).toBeGreaterThan(asked);
});

it.each([
  "+12025550123",
  "+905321112233",
  "+4915123456789",
  "+5511987654321",
  "+61412345678",
  "+79161234567",
  "+390612345678",
])("needs no library for %s, an everyday number", (text) => {
  expect(listedNumber(text)).toBe(Number(text.slice(1)));
});
