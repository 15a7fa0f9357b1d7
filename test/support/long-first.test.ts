import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { LONG_FILES } from "./long-first.ts";

it("names only files that there are", () => {
  expect(LONG_FILES.filter((file) => !existsSync(file))).toEqual([]);
});
