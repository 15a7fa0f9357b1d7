import { glob } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";

const SOURCES = join(import.meta.dirname, "../../../dashboard/src");
/** Shorter ones are words of both languages, or none. */
const SHORTEST = 3;

/** Words that stand in English texts of the dashboard and in no Turkish one. */
async function wordsOfEnglishAlone(): Promise<ReadonlySet<string>> {
  const [english, turkish] = await Promise.all([wordsOf("en"), wordsOf("tr")]);
  return english.difference(turkish);
}

async function wordsOf(language: "en" | "tr"): Promise<Set<string>> {
  const words = new Set<string>();
  for await (const path of glob(`**/${language}.ts`, { cwd: SOURCES })) {
    const texts: Readonly<Record<string, Readonly<Record<string, string>>>> = await import(
      join(SOURCES, path)
    );
    for (const text of Object.values(texts[language] ?? {}))
      for (const word of wordsIn(text.replaceAll(/\{\w+\}/g, " "))) words.add(word);
  }
  return words;
}

const wordsIn = (text: string): string[] =>
  (text.match(/\p{L}+/gu) ?? []).map((word) => word.toLowerCase()).filter(({ length }) => length >= SHORTEST);

/**
 * Names of the API (`call.ended`, `call_01k4…`) are the same in every language; so is the one of the first
 * key, which the service gave.
 */
const withoutNames = (text: string): string => text.replaceAll(/\w+[._]\w[\w.]*|first key/g, " ");

/**
 * What a page says by itself: its texts and those that are read aloud; not what users wrote, nor code,
 * nor names of languages.
 */
const SAID = `(() => {
  const foreign = "[data-user-text], code, pre, kbd, script, style, [lang]:not(html), textarea";
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    if (node.parentElement.closest(foreign) === null) texts.push(node.textContent);
  for (const element of document.querySelectorAll("[aria-label], [placeholder], [title]"))
    for (const name of ["aria-label", "placeholder", "title"])
      if (element.closest(foreign) === null) texts.push(element.getAttribute(name) ?? "");
  return texts;
})()`;

/** Asks a page, again and again, which English words it shows. */
export async function englishIn(page: Page): Promise<() => Promise<readonly string[]>> {
  const english = await wordsOfEnglishAlone();
  return async () => {
    const said = (await page.evaluate(SAID)) as readonly string[];
    return said.filter((text) => wordsIn(withoutNames(text)).some((word) => english.has(word)));
  };
}
