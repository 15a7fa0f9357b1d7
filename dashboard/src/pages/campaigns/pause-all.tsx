import { useState } from "react";
import { post } from "../../api/request.ts";
import { Confirm } from "../../records/confirm.tsx";
import { useAllowed } from "../../records/use-allowed.ts";
import { useCommand } from "../../records/use-command.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button } from "../../ui/controls.tsx";
import { en } from "./en.ts";
import { tr } from "./tr.ts";

/** Absent for a key that may not. */
export function PauseAll() {
  const say = useTexts({ en, tr });
  const [isAsking, ask] = useState(false);
  if (!useAllowed()("campaigns:write")) return null;
  return (
    <>
      <Button data-testid="pause-all" onClick={() => ask(true)}>
        {say("pause-all")}
      </Button>
      {isAsking ? <PauseAllDialog onClose={() => ask(false)} /> : null}
    </>
  );
}

/** Stops every campaign that calls, or would resume by itself. */
export function PauseAllDialog({ onClose }: { readonly onClose: () => void }) {
  const say = useTexts({ en, tr });
  const command = useCommand("campaigns", "campaign");
  const pause = async () => {
    if ((await command.run(() => post("/api/v1/campaigns/pause-all"))) !== undefined) onClose();
  };
  return (
    <Confirm
      title={say("pause-all.title")}
      look="strong"
      action={say("pause-all")}
      command={command}
      onConfirm={() => void pause()}
      onClose={onClose}
    >
      <p>{say("pause-all.told")}</p>
    </Confirm>
  );
}
