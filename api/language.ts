import type { FastifyRequest } from "fastify";
import { LANGUAGES, type Language } from "../contract/campaign-story.ts";

/** The first supported language in Accept-Language; else English. */
export function languageOf({ headers }: Pick<FastifyRequest, "headers">): Language {
  const wanted = (headers["accept-language"] ?? "")
    .split(",")
    .map((part) => {
      const [name = "", ...parameters] = part.trim().toLowerCase().split(";");
      const weight = parameters
        .map((each) => /^\s*q=([\d.]+)$/.exec(each)?.[1])
        .find((each) => each !== undefined);
      return { language: name.split("-")[0], weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight);
  for (const { language } of wanted) {
    const known = LANGUAGES.find((each) => each === language);
    if (known !== undefined) return known;
  }
  return "en";
}
