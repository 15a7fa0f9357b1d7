import { foldedWords } from "../../domain/conversation/intents/spoken-intents.ts";
import type { Situation } from "./situation.ts";
import { spokenAnswer, spokenName } from "./spoken-answer.ts";
import { sharesWords, tellingWords } from "./words.ts";

/** Larger data of a contact are not read. */
const LARGEST = 16_384;
const MOST_VALUES = 3;

/** Values of the engine, and the name, which nobody asks for. */
const NOT_TOLD = new Set([
  "name",
  "caller_number",
  "own_number",
  "call_id",
  "campaign_id",
  "now",
  "timezone",
]);

/** Words of a question, and words in the names of fields that answer it. */
const TOPICS = [
  {
    asked: ["when", "what time", "what day", "which day", "ne zaman", "saat kaç", "hangi gün"],
    named: "date day time due tarih saat gün zaman",
  },
  { asked: ["where", "address", "nerede", "adres"], named: "place address location clinic adres yer" },
  {
    asked: ["how much", "what does it cost", "price", "ne kadar", "kaç lira"],
    named: "amount price cost total fee tutar ücret fiyat",
  },
  {
    asked: ["with whom", "who with", "which doctor", "hangi doktor", "kiminle"],
    named: "doctor dentist doktor hekim",
  },
].map(({ asked, named }) => ({
  asked: asked.map(foldedWords),
  named: new Set(named.split(" ").map((word) => foldedWords(word))),
}));

/** What the data of this call says to a question, ready to be spoken; null: nothing. */
export function answerFromData({ system, turn, language }: Situation): string | null {
  const from = system.lastIndexOf("<data>\n");
  const to = system.lastIndexOf("\n</data>");
  if (from < 0 || to < from || to - from > LARGEST) return null;
  const question = foldedWords(turn);
  const topics = TOPICS.filter(({ asked }) => asked.some((words) => question.includes(words)));
  const telling = tellingWords(turn, language);
  const answers = (name: string): boolean => {
    const words = spokenName(name).split(" ");
    return (
      topics.some(({ named }) => words.some((word) => named.has(foldedWords(word)))) ||
      sharesWords(telling, words)
    );
  };
  const entries = Object.entries(dataOf(system.slice(from + "<data>\n".length, to)));
  const found = entries.filter(([name]) => !NOT_TOLD.has(name) && answers(name)).slice(0, MOST_VALUES);
  return found.length === 0 ? null : spokenAnswer(JSON.stringify(Object.fromEntries(found))) || null;
}

function dataOf(text: string): object {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
