import { expect, it } from "vitest";
import { heardAfter } from "../../../application/voice/speech-time.ts";

/** 29 characters: 1.93 seconds. */
const TEXT = "Unquestionably, I am calling.";

it.each([
  ["nothing before it begins", -100, ""],
  ["nothing within its first word", 400, ""],
  ["a word at its end", 1_000, "Unquestionably,"],
  ["no part of a word", 1_300, "Unquestionably, I"],
  ["everything at its end", 1_934, TEXT],
  ["everything long after", 60_000, TEXT],
])("of a text is heard %s", (_what, lineMillis, heard) => {
  expect(heardAfter(TEXT, lineMillis)).toBe(heard);
});
