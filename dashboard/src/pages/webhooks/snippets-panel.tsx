import { useState } from "react";
import { useTexts } from "../../texts/language.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Choice, Panel } from "../../ui/controls.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import layout from "../../ui/layout.module.css";
import { en } from "./en.ts";
import { SNIPPETS } from "./snippets.ts";
import { tr } from "./tr.ts";

const TEXTS = { en, tr };

export function Snippets() {
  const say = useTexts(TEXTS);
  const [name, setName] = useState<string>("Node");
  const { code } = SNIPPETS.find((each) => each.name === name) ?? SNIPPETS[0];
  return (
    <Panel title={say("snippets.title")}>
      <div className={`${layout.stack} ${layout.wide}`}>
        <div className={layout.row}>
          <Choice
            label={say("snippets.language")}
            name="snippet"
            value={name}
            onChange={({ target }) => setName(target.value)}
          >
            {SNIPPETS.map((each) => (
              <option key={each.name}>{each.name}</option>
            ))}
          </Choice>
          <CopyButton text={code} label={name} />
        </div>
        <CodeBlock label={name} data-testid="snippet">
          {code}
        </CodeBlock>
      </div>
    </Panel>
  );
}
