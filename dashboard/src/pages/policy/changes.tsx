import { Said } from "../../policy/policy-said.tsx";
import type { Change } from "../../policy/sentences.ts";
import { Muted, UserText } from "../../records/records.tsx";
import { useTexts } from "../../texts/language.tsx";
import { Badge } from "../../ui/controls.tsx";
import { Time } from "../../ui/time.tsx";
import { type PolicyAnswer, TEXTS } from "./texts.ts";

/** What rules say now that said something else before. */
export function Changes({ of }: { readonly of: readonly Change[] }) {
  const say = useTexts(TEXTS);
  if (of.length === 0) return <Muted>{say("change.none")}</Muted>;
  return (
    <ul style={{ display: "grid", gap: 6, margin: 0, padding: 0, listStyle: "none" }}>
      {of.map(({ rule, before, now }) => (
        <li key={rule} data-rule={rule} data-change={changeOf(before, now)}>
          <Badge tone={now === null ? "quiet" : "accent"}>{say(`change.${changeOf(before, now)}`)}</Badge>{" "}
          {now === null ? null : <Said sentence={now} />}
          {before === null ? null : (
            <Muted>
              {" "}
              <del>
                <Said sentence={before} />
              </del>
            </Muted>
          )}
        </li>
      ))}
    </ul>
  );
}

const changeOf = (before: unknown, now: unknown) =>
  before === null ? "on" : now === null ? "off" : "changed";

/** Who made this version, and when. */
export function MadeBy({ of: { changedAt, changedBy } }: { readonly of: PolicyAnswer }) {
  return (
    <>
      <UserText>{changedBy?.name ?? changedBy?.id}</UserText>, <Time at={changedAt} />
    </>
  );
}
