import { describe, expect, it } from "vitest";
import { DOORS, SHOWS_AT } from "../support/doors/foreign-doors.ts";
import { costsMore, linearWork, processorMillis } from "../support/doors/processor.ts";

const MOST_TIMES = 20;
const TRIES = 5;

describe("the worst input of its size costs no door more than 20 times what is linear:", () => {
  it.each(DOORS)("$name", async ({ bytes, showsAt = SHOWS_AT, worst, enter }) => {
    const size = Math.min(bytes, showsAt);
    // Measured beside each door: what else the machine does makes both dearer.
    const most = MOST_TIMES * (await processorMillis(linearWork(size)));
    expect(most).toBeGreaterThan(0);
    const costly: string[] = [];
    for (const { name, of } of worst) {
      const text = of(size);
      const millis = await costsMore(() => enter(text), most, TRIES);
      if (millis !== null) costly.push(`${name}: ${Math.round(millis)} ms, not ${Math.round(most)} ms`);
    }
    expect(costly).toEqual([]);
  });
});

it("a form of nothing but boundaries costs no more than its file would", async () => {
  const { worst, enter } = DOORS.find(({ name }) => name === "form with a file of contacts") ?? {};
  const of = (name: string) => worst?.find((each) => each.name === name)?.of(4 * 1_024 * 1_024) ?? "";
  const [file, boundaries] = [of("one letter"), of("boundaries")];
  expect(boundaries.length).toBeGreaterThan(file.length / 2);
  const most = 10 * (await processorMillis(() => enter?.(file)));
  expect(await costsMore(() => enter?.(boundaries), most, TRIES)).toBeNull();
});
