import type { FeedEvent } from "../../live/feed-protocol.ts";
import { useTexts } from "../../texts/language.tsx";
import { useEndReason } from "../calls/words.tsx";
import { isKind } from "./kinds.ts";
import { TEXTS } from "./texts.ts";

/** What happened, in words: `Rang +14155550123`; an event of a later release is shown by its own name. */
export function Sentence({ event: { type, data } }: { readonly event: FeedEvent }) {
  const say = useTexts(TEXTS);
  const endSaid = useEndReason();
  if (!isKind(type)) return <code>{type}</code>;
  const text = (name: string) => String(data[name] ?? "");
  const said = say(`is.${type}`, {
    number: text("phoneNumber") || text("to"),
    end: endSaid(text("endReason")),
    tool: text("toolName"),
  });
  return <span title={type}>{said}</span>;
}
