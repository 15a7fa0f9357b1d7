/** The TwiML verbs that the fake understands: those of this service. */
export type Verb =
  | {
      readonly verb: "connect";
      readonly relayUrl: string;
      readonly action: string | null;
    }
  | { readonly verb: "dial"; readonly number: string; readonly callerId: string | null }
  | { readonly verb: "hangup" };

/** null: nothing that could be executed. */
export function parseTwiml(text: string): Verb | null {
  if (/<Hangup\s*\/>/.test(text)) return { verb: "hangup" };
  const dial = /<Dial([^>]*)>\s*<Number[^>]*>([^<]*)<\/Number>/.exec(text);
  if (dial !== null)
    return { verb: "dial", number: plain(dial[2] ?? ""), callerId: attribute(dial[1] ?? "", "callerId") };
  const connect = /<Connect([^>]*)>\s*<ConversationRelay([^>]*)\/>/.exec(text);
  const relayUrl = connect === null ? null : attribute(connect[2] ?? "", "url");
  if (connect === null || relayUrl === null) return null;
  return { verb: "connect", relayUrl, action: attribute(connect[1] ?? "", "action") };
}

function attribute(text: string, name: string): string | null {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(text)?.[1];
  return value === undefined ? null : plain(value);
}

function plain(text: string): string {
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
