/** A part that is left out. `closes`: what ends it; none: it lasts to the end of the answer. */
export type UnspokenPart = {
  readonly is: "reasoning" | "call" | "channel";
  readonly closes: readonly string[];
  /** What its mark says itself, such as the name of a function. */
  readonly says: string;
};

/** What stands at the beginning of a text that begins with `<`, `[` or `{`. */
export type Mark =
  /** More of the text has to come. */
  | { readonly is: "open" }
  /** So many characters, in place of which this is said. */
  | { readonly is: "said"; readonly length: number; readonly text: string }
  /** The end of a part whose beginning is in no text: what came before belongs to it. */
  | { readonly is: "stray_end"; readonly length: number }
  | { readonly is: "part"; readonly length: number; readonly part: UnspokenPart }
  | { readonly is: "json" };

export function markAt(text: string, isLast: boolean): Mark {
  if (text.startsWith("<")) return tagAt(text, isLast);
  return text.startsWith("[") ? bracketAt(text, isLast) : braceAt(text, isLast);
}

const OPEN: Mark = { is: "open" };
const JSON_BEGINS: Mark = { is: "json" };
const said = (length: number, text: string): Mark => ({ is: "said", length, text });

const TAG = /^<[/|｜!a-z][^<>]{0,200}>/i;
const BEGUN_TAG = /^<(?:[/|｜!a-z][^<>]{0,200})?$/i;
const CUT_TAG = /^<[/|｜]?[\w|｜▁]*$/;
const REASONING = /^<(\/?)(think|thinking|thoughts?|reasoning|reflection|scratchpad|analysis)\b[^>]*>$/i;
const CALL = /^<(tool_calls?|function_calls?|tool_use|invoke|tools?)\b([^>]*)>$/i;
const FUNCTION = /^<function[= ](.*)>$/is;
/** `<|python_tag|>`, `<｜tool▁calls▁begin｜>` and the like. */
const CALL_TOKEN = /^<[|｜].*(?:tool|function|python)/i;
const END_TOKEN = /end|sep|result|output/i;
const ADDRESS = /^<((?:https?:\/\/|mailto:)[^\s]*)>$/i;

function tagAt(text: string, isLast: boolean): Mark {
  const tag = TAG.exec(text)?.[0];
  if (tag === undefined) {
    if (!BEGUN_TAG.test(text)) return said(1, "<");
    if (!isLast) return OPEN;
    return text.length > 1 && CUT_TAG.test(text) ? said(text.length, "") : said(1, "<");
  }
  const { length } = tag;
  const [, closing, thinks] = REASONING.exec(tag) ?? [];
  if (thinks !== undefined)
    return closing === "/" ? { is: "stray_end", length } : part(length, "reasoning", [`</${thinks}>`]);
  const [, calls, attributes] = CALL.exec(tag) ?? [];
  if (calls !== undefined) return part(length, "call", [`</${calls}>`], attributes);
  const [, named] = FUNCTION.exec(tag) ?? [];
  if (named !== undefined) return part(length, "call", ["</function>"], named);
  if (tag === "<|channel|>" || tag === "<|start|>") return part(length, "channel", ["<|message|>"]);
  if (CALL_TOKEN.test(tag) && !END_TOKEN.test(tag)) return part(length, "call", []);
  return said(length, ADDRESS.exec(tag)?.[1] ?? "");
}

function part(length: number, is: UnspokenPart["is"], closes: readonly string[], says = ""): Mark {
  return { is: "part", length, part: { is, closes, says } };
}

const BRACKETS: readonly (readonly [string, UnspokenPart])[] = [
  ["[THINK]", { is: "reasoning", closes: ["[/THINK]"], says: "" }],
  ["[TOOL_CALLS]", { is: "call", closes: [], says: "" }],
  ["[TOOL_CALL]", { is: "call", closes: ["[/TOOL_CALL]"], says: "" }],
];
const BRACKET_END = "[/THINK]";

function bracketAt(text: string, isLast: boolean): Mark {
  const [name, found] = BRACKETS.find(([each]) => text.startsWith(each)) ?? [];
  if (name !== undefined && found !== undefined) return { is: "part", length: name.length, part: found };
  if (text.startsWith(BRACKET_END)) return { is: "stray_end", length: BRACKET_END.length };
  if (/^\[\s{0,20}\{/.test(text)) return JSON_BEGINS;
  const mayCome =
    BRACKET_END.startsWith(text) ||
    BRACKETS.some(([each]) => each.startsWith(text)) ||
    /^\[\s{0,20}$/.test(text);
  return mayCome && !isLast ? OPEN : said(1, "[");
}

function braceAt(text: string, isLast: boolean): Mark {
  if (/^\{\s{0,20}"/.test(text)) return JSON_BEGINS;
  return /^\{\s{0,20}$/.test(text) && !isLast ? OPEN : said(1, "{");
}
