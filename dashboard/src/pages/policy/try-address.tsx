import { useState } from "react";
import type { DataOf, RouteAt } from "../../../../contract/asking.ts";
import { post } from "../../api/request.ts";
import { Fault, Muted, Row, UserText } from "../../records/records.tsx";
import { useCommand } from "../../records/use-command.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { Badge, Button } from "../../ui/controls.tsx";
import { STACK, TEXTS } from "./texts.ts";

const TEST = "/api/v1/policy/eligibility/test";
type Tried = DataOf<RouteAt<"POST", typeof TEST>>;

const TONES = { allowed: "good", refused: "wait", unavailable: "bad" } as const;

/** Asks the address as it is typed about a person who does not exist, and shows what would follow. */
export function TryAddress({ url }: { readonly url: string }) {
  const say = useTexts(TEXTS);
  const { busy, fault, run } = useCommand();
  const [tried, setTried] = useState<Tried | null>(null);
  const ask = async () => {
    setTried(null);
    setTried((await run(() => post(TEST, { body: { url } }))) ?? null);
  };
  return (
    <div className={STACK}>
      <Row>
        <Button data-testid="try-address" disabled={busy || url === ""} onClick={() => void ask()}>
          {say(busy ? "try.asking" : "try")}
        </Button>
        <Muted>{say("try.told")}</Muted>
      </Row>
      <Fault error={fault} />
      {tried === null ? null : <Answer of={tried} />}
    </div>
  );
}

function Answer({ of }: { readonly of: Tried }) {
  const say = useTexts(TEXTS);
  const { number, time } = useFormat();
  const { answer, follows, status, millis, reason, until, why, text } = of;
  return (
    <div role="status" data-testid="tried" data-answer={answer} data-follows={follows} className={STACK}>
      <Row>
        <Badge tone={TONES[answer]}>{say(`try.${answer}`)}</Badge>
        <Muted>
          {say("try.took", { millis: number(Math.round(millis)), status: status ?? "–" })}{" "}
          {why === null ? null : <code>{why}</code>}
        </Muted>
      </Row>
      {reason === null ? null : <UserText>{reason}</UserText>}
      <p>{say(`follows.${follows}`, { until: until === null ? "–" : time(until) })}</p>
      {text === null ? null : (
        <details>
          <summary>{say("try.text")}</summary>
          <UserText>{text}</UserText>
        </details>
      )}
    </div>
  );
}
