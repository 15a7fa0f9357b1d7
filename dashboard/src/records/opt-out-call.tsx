import { Link } from "@tanstack/react-router";
import { useTexts } from "../texts/language.tsx";
import { useAllowed } from "./use-allowed.ts";

/** A link to the call on which somebody asked never to be called again; nothing where there is none. */
export function OptOutCall({
  of: { optOutCallId },
}: {
  readonly of: { readonly optOutCallId: string | null };
}) {
  const say = useTexts();
  const isAllowed = useAllowed()("calls:read");
  if (optOutCallId === null || !isAllowed) return null;
  return (
    <Link to="/calls/$id" params={{ id: optOutCallId }} data-testid="opt-out-call">
      {say("opt-out.call")}
    </Link>
  );
}
