import { Link } from "@tanstack/react-router";
import type { SuppressionChange } from "../../../../contract/suppression.ts";
import { useTexts } from "../../texts/language.tsx";
import { TEXTS } from "./texts.ts";

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
