import { describe, expect, it } from "vitest";
import { createStartLimit } from "../../../../application/campaign/runner/start-limit.ts";
import { provenStartLimit } from "./runner-parts.ts";

/** So many dials on their way, and campaigns that are named by letters. */
function onTheirWay(already: number) {
  const limit = provenStartLimit({ monotonicMillis: () => 0 });
  const under = Array.from({ length: already }, () => limit.began());
  const woken: string[] = [];
  const campaigns = new Map(
    [..."abcd"].map((name) => [name, { wake: () => void woken.push(name) }] as const),
  );
  const of = (name: string) => campaigns.get(name) ?? { wake: () => undefined };
  return {
    under,
    woken,
    leave: limit.leave,
    asks: (name: string, wanted: number) => limit.enter(of(name), wanted),
    passesOn: (name: string) => limit.passOn(of(name)),
    withdraws: (name: string) => limit.withdraw(of(name)),
  };
}

describe("the dials that all campaigns of a process have on their way", () => {
  it("are added to by one that asks alone as far as it likes, at most 100", () => {
    const { asks, leave, woken } = onTheirWay(50);
    expect(asks("a", 70)).toBe(70);
    leave(70);
    expect(asks("a", 200)).toBe(100);
    expect(woken).toEqual([]);
  });

  it("are no more once 51 are; who asked is woken as soon as there are 50, and asks again", () => {
    const { asks, under, woken } = onTheirWay(52);
    expect(asks("a", 1)).toBe(0);
    under[0]?.();
    under[0]?.();
    expect(woken).toEqual([]);
    under[1]?.();
    expect(woken).toEqual(["a"]);
    // A place is kept for it, so there are 51.
    expect([asks("b", 1), asks("a", 1)]).toEqual([0, 1]);
  });

  it("are added to in the order of those that asked first, 25 each while several wait", () => {
    const { asks, leave, under, woken } = onTheirWay(51);
    for (const [name, wanted] of [["a", 100] as const, ["b", 100] as const, ["c", 3] as const])
      expect(asks(name, wanted)).toBe(0);
    expect(asks("a", 90)).toBe(0);
    under[0]?.();
    expect([woken.join(""), asks("a", 90)]).toEqual(["a", 25]);
    leave(25);
    expect([woken.join(""), asks("b", 100)]).toEqual(["ab", 25]);
    leave(25);
    expect([woken.join(""), asks("c", 3)]).toEqual(["abc", 3]);
    // 53 are too many for another one, which then is alone.
    expect(asks("d", 100)).toBe(0);
    leave(3);
    expect([woken.join(""), asks("d", 100)]).toEqual(["abcd", 100]);
  });

  it("are not kept from others by one that wants fewer when its turn has come, or nothing any more", () => {
    const { asks, under, woken, passesOn, withdraws } = onTheirWay(51);
    for (const name of "abcd") expect(asks(name, 20)).toBe(0);
    passesOn("a");
    withdraws("b");
    under[0]?.();
    expect(woken.join("")).toBe("a");
    passesOn("a");
    expect(woken.join("")).toBe("ac");
    expect([asks("c", 5), woken.join("")]).toEqual([5, "ac"]);
    for (const ends of under.slice(1, 6)) ends();
    expect(woken.join("")).toBe("acd");
    withdraws("d");
    expect(asks("a", 20)).toBe(20);
  });
});

describe("how many dials may be on their way before the next ones wait", () => {
  /** `dials` are on their way from `now`, and begin when they are told to. */
  function slowly() {
    let now = 0;
    const limit = createStartLimit({ monotonicMillis: () => now });
    const campaign = { wake: () => undefined };
    const passed = (millis: number) => {
      now += millis;
    };
    /** So many are let in at once where nothing is on its way; nothing of them is kept. */
    const batch = (): number => {
      const count = limit.enter(campaign, 1_000);
      limit.leave(count);
      limit.passOn(campaign);
      return count;
    };
    const dials = (count: number) => Array.from({ length: count }, () => limit.began());
    return { passed, batch, dials };
  }

  it("grows from 10 to 50 by one for each that begins soon; a batch is twice as many", () => {
    const { passed, batch, dials } = slowly();
    expect(batch()).toBe(20);
    const soon = dials(10);
    passed(2_999);
    for (const begun of soon) begun();
    expect(batch()).toBe(40);
    for (const begun of dials(100)) begun();
    expect(batch()).toBe(100);
  });

  it("is halved once for all that waited 3 seconds together, at the least 5", () => {
    const { passed, batch, dials } = slowly();
    for (const begun of dials(100)) begun();
    const halved = [1, 2, 3, 4].map(() => {
      const late = dials(30);
      passed(3_000);
      for (const begun of late) begun();
      return batch();
    });
    expect(halved).toEqual([50, 24, 12, 10]);
    for (const begun of dials(1)) begun();
    expect(batch()).toBe(12);
  });
});
