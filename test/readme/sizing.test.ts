import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { ASSUMED_RINGING, ASSUMED_TALK, estimateCampaign } from "../../domain/campaign/progress.ts";

const PEOPLE = 10_000;

it("docs/sizing.md tells the hours that a preview estimates", async () => {
  const page = await readFile(new URL("../../docs/sizing.md", import.meta.url), "utf8");
  expect(page).toContain(`a call rings ${ASSUMED_RINGING} s`);
  const [heading = "", _line, ...rows] = page.match(/^\| Lines \|(?:.*\n\|)*.*$/m)?.[0].split("\n") ?? [];
  const talks = [...heading.matchAll(/talk (\d+) s/g)].map(([, seconds]) => Number(seconds));
  expect(talks).toContain(ASSUMED_TALK);
  expect(rows.length).toBeGreaterThan(3);
  for (const row of rows) {
    const [lines = 0, ...hours] = row.split("|").slice(1, -1).map(Number);
    const facts = { contacts: PEOPLE, lines, callsPerSecond: 1_000, timezone: "UTC", window: null };
    const startsAt = "2026-09-01T09:00:00.000Z";
    const estimate = estimateCampaign({ ...facts, startsAt, pricePerMinute: 10_000 });
    expect([lines, hours[talks.indexOf(ASSUMED_TALK)]]).toEqual([lines, Number(estimate.hours?.toFixed(1))]);
    for (const [place, talk] of talks.entries()) {
      const whole = (Math.ceil(PEOPLE / lines) * (ASSUMED_RINGING + talk)) / 3_600;
      expect(Math.abs((hours[place] ?? 0) - whole)).toBeLessThanOrEqual(0.051);
    }
  }
});
