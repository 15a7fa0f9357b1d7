import { readFileSync } from "node:fs";
import { getCountries, getExampleNumber } from "libphonenumber-js/max";
import examples from "libphonenumber-js/mobile/examples";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { isNumberCountry, readWrittenNumber } from "../../../domain/shared/written-number.ts";

/** Cell, country, the number that is read or the reason why none is, and what the cell is an example of. */
const corpus = z
  .array(z.tuple([z.string(), z.string().nullable(), z.string(), z.string()]))
  .parse(JSON.parse(readFileSync(`${import.meta.dirname}/../../data/written-numbers.json`, "utf8")));

function read(cell: string, country: string | null): string {
  if (country !== null && !isNumberCountry(country)) throw new Error(`No country ${country}`);
  const number = readWrittenNumber(cell, country);
  return number.ok ? number.value : number.reason;
}

describe("a number as people write it", () => {
  it("is read from a corpus of at least 200 cells, of which as many are refused as are read, about", () => {
    expect(corpus.length).toBeGreaterThanOrEqual(200);
    const taken = corpus.filter(([, , expected]) => expected.startsWith("+")).length;
    expect(taken / corpus.length).toBeGreaterThan(0.35);
    expect(taken / corpus.length).toBeLessThan(0.65);
  });

  const kinds = [...new Set(corpus.map(([, , , kind]) => kind))];
  it.each(kinds)("%s", (kind) => {
    const cells = corpus.filter(([, , , each]) => each === kind);
    const expected = cells.map(([cell, country, number]) => [cell, country, number]);
    expect(cells.map(([cell, country]) => [cell, country, read(cell, country)])).toEqual(expected);
  });

  it("is read in every country as it is written there, or refused, and never becomes another number", () => {
    const all = getCountries().flatMap((country) => {
      const number = getExampleNumber(country, examples);
      if (number === undefined) return [];
      return [number.formatNational(), number.formatInternational()].map((text) => {
        const written = readWrittenNumber(text, country);
        return [
          text,
          country,
          written.ok ? written.value : number.number,
          number.number,
          written.ok,
        ] as const;
      });
    });
    expect(all.filter(([, , value, meant]) => value !== meant)).toEqual([]);
    expect(all.length).toBeGreaterThan(450);
    expect(all.filter(([, , , , isRead]) => isRead).length / all.length).toBeGreaterThan(0.97);
  });

  it("is of a country that has a numbering plan, named in capitals", () => {
    expect(["TR", "US", "XX", "tr", "Turkey", "", "__proto__"].map(isNumberCountry)).toEqual([
      true,
      true,
      ...Array(5).fill(false),
    ]);
  });
});
