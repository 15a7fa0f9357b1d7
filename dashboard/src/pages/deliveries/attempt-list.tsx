import type { DeliveryAttemptRecord } from "../../../../contract/delivery.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import layout from "../../ui/layout.module.css";
import { Time } from "../../ui/time.tsx";
import { en } from "./en.ts";
import { tr } from "./tr.ts";

const TEXTS = { en, tr };

/** Every attempt with its phases and its response. */
export function AttemptList({ attempts }: { readonly attempts: readonly DeliveryAttemptRecord[] }) {
  const say = useTexts(TEXTS);
  return (
    <ol className={`${layout.stack} ${layout.wide}`}>
      {attempts.map((attempt) => (
        <li
          key={`${attempt.number} ${attempt.startedAt}`}
          data-attempt={attempt.number}
          data-class={attempt.class}
        >
          <p>
            {say("attempt.title", { number: attempt.number, what: say(`class.${attempt.class}`) })}
            {attempt.status === null ? null : ` · ${attempt.status}`} · <Time at={attempt.startedAt} />
          </p>
          {attempt.detail === null ? null : <p className={layout.small}>{attempt.detail}</p>}
          <Phases phases={attempt.phases} />
          {attempt.response === null || attempt.response === "" ? null : (
            <CodeBlock label={say("attempt.response")} isForeign={true}>
              {attempt.response}
            </CodeBlock>
          )}
        </li>
      ))}
    </ol>
  );
}

function Phases({ phases }: Pick<DeliveryAttemptRecord, "phases">) {
  const say = useTexts(TEXTS);
  const { number } = useFormat();
  if (phases === null) return null;
  const millis = (value: number | null) => (value === null ? "–" : number(Math.round(value)));
  const { dns, connect, tls, firstByte, total } = phases;
  const values = {
    dns: millis(dns),
    connect: millis(connect),
    tls: millis(tls),
    firstByte: millis(firstByte),
    total: millis(total),
  };
  return <p className={`${layout.small} ${layout.muted}`}>{say("attempt.phases", values)}</p>;
}
