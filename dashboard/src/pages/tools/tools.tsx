import { useState } from "react";
import type { ToolRecord } from "../../../../contract/tool.ts";
import { More } from "../../records/records.tsx";
import { useAllowed } from "../../records/use-allowed.ts";
import { ALL, useList } from "../../records/use-list.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button } from "../../ui/controls.tsx";
import { Page, stateOf } from "../../ui/page.tsx";
import { Secrets } from "./secrets.tsx";
import { PATH, SECRETS, TEXTS } from "./texts.ts";
import { ToolForm } from "./tool-form.tsx";
import { ToolTable } from "./tool-table.tsx";
import { TryTool } from "./try-tool.tsx";

type Open =
  | { readonly what: "new" }
  | { readonly what: "change" | "try"; readonly tool: ToolRecord }
  | { readonly what: "nothing" };
const NOTHING: Open = { what: "nothing" };

export function Tools() {
  const say = useTexts(TEXTS);
  const list = useList(PATH, { query: ALL });
  const secrets = useList(SECRETS, { query: ALL });
  const mayWrite = useAllowed()("tools:write");
  const [open, setOpen] = useState(NOTHING);
  const close = () => setOpen(NOTHING);
  const add = (
    <Button look="strong" data-testid="add" onClick={() => setOpen({ what: "new" })}>
      {say("add")}
    </Button>
  );
  return (
    <>
      <Page
        name="tools"
        title={say("title")}
        state={stateOf({
          isPending: list.isPending || secrets.isPending,
          isError: list.isError || secrets.isError,
          isEmpty: list.rows.length === 0 && secrets.rows.length === 0,
        })}
        failure={list.error ?? secrets.error}
        onRetry={() => void Promise.all([list.refetch(), secrets.refetch()])}
        empty={<p>{say("empty")}</p>}
        below={mayWrite ? <Secrets secrets={[]} mayWrite /> : null}
        actions={mayWrite ? add : undefined}
      >
        {list.rows.length === 0 ? (
          <p>{say("empty")}</p>
        ) : (
          <ToolTable
            tools={list.rows}
            secrets={secrets.rows}
            mayWrite={mayWrite}
            onOpen={(what, tool) => setOpen({ what, tool })}
          />
        )}
        <More list={list} />
        <Secrets secrets={secrets.rows} mayWrite={mayWrite} />
      </Page>
      {open.what === "new" ? <ToolForm of={null} onClose={close} /> : null}
      {open.what === "change" ? <ToolForm of={open.tool} onClose={close} /> : null}
      {open.what === "try" ? <TryTool tool={open.tool} onClose={close} /> : null}
    </>
  );
}
