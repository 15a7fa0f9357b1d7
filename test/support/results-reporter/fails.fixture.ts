import { expect, it } from "vitest";

let tries = 0;

it("passes at once", () => expect(1).toBe(1));

it("passes at the second try", { retry: 1 }, () => {
  tries += 1;
  expect(tries).toBe(2);
});

it("fails at every try", { retry: 1 }, () => expect("this").toBe("that"));
