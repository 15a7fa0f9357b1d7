import { readdirSync, readFileSync } from "node:fs";
import type { FakeAnswer } from "./fake-answer.ts";

const FOLDER = new URL("../../infrastructure/models/answers/", import.meta.url);

/** Names of the answers of real models' servers that this project keeps, byte for byte. */
export const recordedNames: readonly string[] = readdirSync(FOLDER)
  .map((file) => file.replace(/\.http$/, ""))
  .toSorted();

/** A file: `HTTP <status>`, headers (`null`: without it), an empty line, the body. */
export function recordedAnswer(name: string): Extract<FakeAnswer, { kind: "raw" }> {
  const bytes = readFileSync(new URL(`${name}.http`, FOLDER));
  const end = bytes.indexOf("\n\n");
  const [first = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\n");
  const headers = lines
    .map((line) => line.split(": ") as [string, string])
    .filter(([, value]) => value !== "null");
  return {
    kind: "raw",
    status: Number(first.slice("HTTP ".length)),
    headers: Object.fromEntries(headers),
    body: bytes.subarray(end + 2),
  };
}
