import { describe, expect, it } from "vitest";
import { peopleOf, readPeople, withRefused } from "../../dashboard/src/pages/campaign/setup/people.ts";
import { typedNumber, typedNumbers } from "../../dashboard/src/records/typed-number.ts";

describe("a number that a person types", () => {
  it.each([
    ["+90 532 111 22 33", "+905321112233"],
    [" +1 (415) 555-2671 ", "+14155552671"],
    ["tel:+1-415-555-2671", "+14155552671"],
    ["+90\u00a0532\u2011111\u201122\u201133", "+905321112233"],
    ["+905321112233", "+905321112233"],
    // What is none goes as it is, and the service says why; what is too short is no question of its form.
    ["0532 111 22 33", "0532 111 22 33"],
    ["call me", "call me"],
    ["+1 415 555 26", "+141555526"],
  ])("%j is sent as %j", async (typed, sent) => {
    expect(await typedNumber(typed)).toBe(sent);
  });

  it("without + is read in the country that was chosen, also among many", async () => {
    const many = [...Array.from({ length: 120 }, () => "0532 111 22 33"), "nobody"];
    const read = await typedNumbers(many, "TR");
    expect(read.length).toBe(121);
    expect(read.slice(0, 120).every(({ sent }) => sent === "+905321112233")).toBe(true);
    expect(read.at(-1)?.read).toEqual({ ok: false, reason: "not_e164" });
  });
});

describe("people who are added to a campaign", () => {
  const LIST = "phone;name;city\n\n+90 (532) 111-22-33;Ada;Bursa\n;Bo;\n+905321112244;Cy;\n0532;Di;\n";

  it("are read from a table as from a file, those refused at the lines on which they stand", async () => {
    const read = await readPeople(peopleOf(LIST), "");
    expect(read.kept.map(({ line, person }) => [line, person.phoneNumber, person.name])).toEqual([
      [3, "+905321112233", "Ada"],
      [5, "+905321112244", "Cy"],
    ]);
    expect(read.report).toMatchObject({
      normalized: 1,
      rejected: {
        count: 2,
        items: [
          { line: 4, reason: "missing_phone" },
          { line: 6, phoneNumber: "0532", reason: "not_e164" },
        ],
      },
    });
    const refused = { index: 1, phoneNumber: "+905321112244", reason: "duplicate" };
    const { rejected } = withRefused(read, { count: 1, items: [refused] });
    expect(rejected.count).toBe(3);
    expect(rejected.items.map(({ line }) => line)).toEqual([4, 5, 6]);
  });

  it("may be typed with a separator of their own on each line", () => {
    const people = peopleOf("+905321112233, Ada\n+905321112244; Bo\n+905321112255\tCy");
    expect(people.map(({ person }) => person.name)).toEqual(["Ada", "Bo", "Cy"]);
  });
});
