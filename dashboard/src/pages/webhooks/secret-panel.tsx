import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { post } from "../../api/request.ts";
import { sessionQuery } from "../../api/session.ts";
import { useTexts } from "../../texts/language.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Button, Choice, Panel } from "../../ui/controls.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import layout from "../../ui/layout.module.css";
import { en } from "./en.ts";
import { tr } from "./tr.ts";
import { secretQuery } from "./webhook-api.ts";

const TEXTS = { en, tr };
const OVERLAPS = [0, 3_600, 86_400, 604_800] as const;

type SecretPanelProps = { readonly secret: string | null; readonly failure: unknown };

export function SecretPanel({ secret, failure }: SecretPanelProps) {
  const say = useTexts(TEXTS);
  const queries = useQueryClient();
  const [isShown, setShown] = useState(false);
  const [overlap, setOverlap] = useState(86_400);
  const [fault, setFault] = useState<unknown>(null);
  const [isRotated, setRotated] = useState(false);
  const [until, keepUntil] = useOldSecretUntil();
  const rotate = async () => {
    setFault(null);
    try {
      const rotated = await post("/api/v1/webhook/rotate-secret", { body: { overlapSeconds: overlap } });
      queries.setQueryData(secretQuery.queryKey, rotated.secret);
      keepUntil(rotated.previousValidUntil);
      setRotated(true);
    } catch (error) {
      setFault(error);
    }
  };
  const problem = fault ?? failure;
  return (
    <Panel title={say("secret.title")}>
      <div className={`${layout.stack} ${layout.wide}`}>
        <p className={layout.small}>{say("secret.about")}</p>
        <CodeBlock label={say("secret.name")} data-testid="secret">
          {isShown && secret !== null ? secret : "whsec_••••••••••••••••"}
        </CodeBlock>
        <div className={layout.row}>
          <Button data-testid="show-secret" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
            {say(isShown ? "secret.hide" : "secret.show")}
          </Button>
          {secret === null ? null : <CopyButton text={secret} label={say("secret.name")} />}
        </div>
        <Choice
          label={say("secret.overlap")}
          name="overlapSeconds"
          value={overlap}
          onChange={({ target }) => setOverlap(Number(target.value))}
        >
          {OVERLAPS.map((seconds) => (
            <option key={seconds} value={seconds}>
              {say(`secret.overlap.${seconds}`)}
            </option>
          ))}
        </Choice>
        <div>
          <Button look="danger" data-testid="rotate" onClick={rotate}>
            {say("secret.rotate")}
          </Button>
        </div>
        {problem === null ? null : (
          <p role="alert">
            <ErrorText error={problem} />
          </p>
        )}
        <p role="status">{isRotated ? say("secret.rotated") : null}</p>
        {until === null ? null : <Countdown until={until} />}
      </div>
    </Panel>
  );
}

/**
 * The service returns the end of an overlap only once, to the user who rotated. It is not secret, so
 * this browser stores it.
 */
function useOldSecretUntil(): readonly [string | null, (until: string | null) => void] {
  const owner = useQuery(sessionQuery).data?.owner.id ?? "";
  const name = `ringfold-old-secret-until:${owner}`;
  const [until, setUntil] = useState(() => localStorage.getItem(name));
  const keep = (next: string | null) => {
    if (next === null) localStorage.removeItem(name);
    else localStorage.setItem(name, next);
    setUntil(next);
  };
  return [until, keep];
}

function Countdown({ until }: { readonly until: string }) {
  const say = useTexts(TEXTS);
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const left = Math.ceil((Date.parse(until) - now) / 1_000);
  if (left <= 0) return null;
  return (
    <p data-testid="overlap" data-value={left} className={layout.small} title={until}>
      {say("secret.countdown", { left: spelt(left) })}
    </p>
  );
}

/** Hours, minutes and seconds: 23:59:07. */
function spelt(seconds: number): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${Math.floor(seconds / 3_600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
