import { useEffect, useRef } from "react";
import type { IssuedApiKey } from "../../../../contract/api-key.ts";
import { useTexts } from "../../texts/language.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Button, Panel } from "../../ui/controls.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import layout from "../../ui/layout.module.css";
import { en } from "./en.ts";
import { tr } from "./tr.ts";

const TEXTS = { en, tr };
type IssuedKeyProps = { readonly issued: IssuedApiKey; readonly onDone: () => void };

/** A key is shown only here and only once; it is in no cache and no storage. */
export function IssuedKeyPanel({ issued, onDone }: IssuedKeyProps) {
  const say = useTexts(TEXTS);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => ref.current?.scrollIntoView({ block: "nearest" }), []);
  return (
    <div ref={ref}>
      <Panel title={say("issued.title")}>
        <div className={`${layout.stack} ${layout.wide}`} role="status">
          {issued.key === null ? (
            <p>{say("issued.again")}</p>
          ) : (
            <>
              <p>{say("issued.about")}</p>
              <CodeBlock label={say("issued.key")} data-testid="issued-key">
                {issued.key}
              </CodeBlock>
            </>
          )}
          <div className={layout.row}>
            {issued.key === null ? null : <CopyButton text={issued.key} label={say("issued.key")} />}
            <Button data-testid="issued-done" onClick={onDone}>
              {say("issued.done")}
            </Button>
          </div>
        </div>
      </Panel>
    </div>
  );
}
