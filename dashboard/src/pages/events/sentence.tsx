import type { FeedEvent } from "../../live/feed-protocol.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { useEndReason } from "../calls/words.tsx";
import { isKind } from "./kinds.ts";
import { TEXTS } from "./texts.ts";

/** What happened, in words: `Rang +14155550123`; an event of a later release is shown by its own name. */
export function Sentence({
  event: { type, data },
  number,
}: {
  readonly event: Pick<FeedEvent, "type" | "data">;
  /** Whom the call was to, where the event does not say it. */
  readonly number: string | undefined;
}) {
  const say = useTexts(TEXTS);
  const endSaid = useEndReason();
  const { locale } = useFormat();
  if (!isKind(type)) return <code>{type}</code>;
  const text = (name: string) => String(data[name] ?? "");
  const { message } = data;
  const isCustomer =
    typeof message === "object" && message !== null && "role" in message && message.role === "customer";
  const said = say(type === "CallMessageAdded" && isCustomer ? "is.customer-said" : `is.${type}`, {
    number: text("phoneNumber") || text("to") || (number ?? say("somebody")),
    end: endSaid(text("endReason")),
    tool: text("toolName"),
  });
  return <span title={type}>{said.charAt(0).toLocaleUpperCase(locale) + said.slice(1)}</span>;
}
