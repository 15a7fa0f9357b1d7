import { SCOPES } from "../../../../contract/scopes.ts";
import { useTexts } from "../../texts/language.tsx";
import layout from "../../ui/layout.module.css";
import { en } from "./en.ts";
import { tr } from "./tr.ts";

/** What a scope lets one do, and as the API calls it. */
export function ScopeName({ scope }: { readonly scope: string }) {
  const say = useTexts({ en, tr });
  const known = SCOPES.find((each) => each === scope);
  return (
    <span>
      {known === undefined ? null : `${say(`scope.${known}`)} `}
      <code className={`${layout.muted} ${layout.small}`}>{scope}</code>
    </span>
  );
}
