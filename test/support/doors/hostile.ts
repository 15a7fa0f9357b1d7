/** A text of so many bytes in all, made of one piece again and again. */
export type Hostile = { readonly name: string; readonly of: (bytes: number) => string };

/** `piece` in ASCII counts a byte for each character. */
export function again(name: string, piece: string, before = "", after = ""): Hostile {
  const size = Buffer.byteLength(piece);
  const around = Buffer.byteLength(before) + Buffer.byteLength(after);
  return {
    name,
    of: (bytes) => before + piece.repeat(Math.max(1, Math.floor((bytes - around) / size))) + after,
  };
}

/** What loops and expressions that look back, or ahead, have to go through again and again. */
export const TEXTS: readonly Hostile[] = [
  again("one letter", "a"),
  again("digits", "1"),
  again("words", "Ab1 "),
  again("spaces", " "),
  again("spaces before a letter", " ", "", "x"),
  again("line ends", "\n"),
  again("carriage returns", "\r"),
  again("full stops", "."),
  again("full stops apart", ". "),
  again("stops and closing signs", ".'\")"),
  again("commas", ","),
  again("quotes", '"'),
  again("quotes apart", '"a" '),
  again("single quotes", "e'"),
  again("backslashes", "\\"),
  again("open braces", "{{"),
  again("open placeholders", "{{a"),
  again("placeholders", "{{a}}"),
  again("open brackets", "["),
  again("open parentheses", "("),
  again("open tags", "<"),
  again("open thoughts", "<think>"),
  again("closed thoughts", "<think>a</think>"),
  again("markdown", "**a** _b_ `c` "),
  again("stars", "*"),
  again("underscores", "_"),
  again("backticks", "`"),
  again("links", "[a](b) "),
  again("open links", "[a]("),
  again("addresses", "http://a.b/c "),
  again("addresses without end", "http://"),
  again("dashes", "-"),
  again("dollars", "$a"),
  again("ampersands", "a&"),
  again("percent signs", "%41"),
  again("semicolons", "a;q=0."),
  again("equals", "a=b; "),
  again("colons", ":a "),
  again("NUL", "\u0000"),
  again("combining marks", "\u0301"),
  again("emoji", "😀"),
  again("half characters", "\ud83d"),
];

/** What a listener for a wish not to be called goes through word by word, in many languages. */
export const WISHES: readonly Hostile[] = [
  again("wishes", "Never call me again. "),
  again("wishes with a condition", "never call me again before "),
  again("beginnings of a wish", "dont do not want you to rufen sie mich bitte ne me no me beni bir daha "),
];

/** JSON around a hostile text, or JSON that is hostile by its own form. */
export function inJson(before: string, after: string): readonly Hostile[] {
  const within = TEXTS.map(({ name, of }) => ({
    name,
    // A sign that JSON escapes takes up to six bytes.
    of: (bytes: number) => {
      const text = JSON.stringify(of(bytes));
      return before + (text.length <= bytes ? text : JSON.stringify(of(Math.floor(bytes / 6)))) + after;
    },
  }));
  return [
    ...within,
    again("lists within lists", "[", before),
    again("objects within objects", '{"a":', before),
    again("numbers", "1,", `${before}[`, `1]${after}`),
    again("objects", "{},", `${before}[`, `{}]${after}`),
    again("the same name", '"a":1,', `${before}{`, `"b":1}${after}`),
    {
      name: "many names",
      of: (bytes) => {
        const names = Array.from({ length: Math.floor(bytes / 12) }, (_, index) => `"k${index}":1`);
        return `${before}{${names.join(",")}}${after}`;
      },
    },
  ];
}
