import { Link } from "@tanstack/react-router";
import type { SuppressionChange } from "../../../../contract/suppression.ts";
import { useTexts } from "../../texts/language.tsx";
import { en } from "./en.ts";
import { TEXTS } from "./texts.ts";

const OF_CALLS = ["reason.asked", "reason.unreadable"] as const;

/** Where an entry comes from; a call is one press away. */
export function Source({
  of: { source, callId },
}: {
  readonly of: Pick<SuppressionChange, "source" | "callId">;
}) {
  const say = useTexts(TEXTS);
  const words = say(`source.${source}`);
  if (callId === null) return <span data-source={source}>{words}</span>;
  return (
    <Link to="/calls/$id" params={{ id: callId }} data-source={source}>
      {words}
    </Link>
  );
}

/** Why a number is listed: what the service wrote in the reader's language, what people wrote as it is. */
export function useReason(): (reason: string | null) => string | null {
  const say = useTexts(TEXTS);
  return (reason) => {
    const known = OF_CALLS.find((name) => en[name] === reason);
    return known === undefined ? reason : say(known);
  };
}
