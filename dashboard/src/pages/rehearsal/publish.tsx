import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { AssistantRecord } from "../../../../contract/assistant.ts";
import type { RehearsalRecord } from "../../../../contract/rehearsal.ts";
import { post } from "../../api/request.ts";
import { Confirm } from "../../records/confirm.tsx";
import { useCommand } from "../../records/use-command.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button } from "../../ui/controls.tsx";
import { ASSISTANT, PATH as ASSISTANTS } from "../assistants/texts.ts";
import { TEXTS } from "./texts.ts";

type PublishProps = { readonly rehearsal: RehearsalRecord; readonly assistant: AssistantRecord };

/** Every run of the draft has passed; whether it is still this draft is for the service to say. */
const mayPublish = ({ status, version, failed, errors, passed }: RehearsalRecord): boolean =>
  status === "done" && version === "draft" && failed === 0 && errors === 0 && passed > 0;

export function Publish({ rehearsal, assistant: { id, name, versions } }: PublishProps) {
  const say = useTexts(TEXTS);
  const navigate = useNavigate();
  const [isAsked, setAsked] = useState(false);
  const command = useCommand(ASSISTANTS, `${ASSISTANTS}/${id}/versions`);
  if (!mayPublish(rehearsal)) return null;
  const publish = async () => {
    const body = { rehearsalId: rehearsal.id };
    const done = await command.run(() => post(`${ASSISTANT}/publish`, { params: { id }, body }));
    if (done !== undefined) void navigate({ to: "/assistants/$id", params: { id } });
  };
  return (
    <>
      <Button look="strong" data-testid="publish" onClick={() => setAsked(true)}>
        {say("publish")}
      </Button>
      {isAsked ? (
        <Confirm
          title={say("publish.title", { name, version: versions + 1 })}
          look="strong"
          action={say("publish")}
          command={command}
          onConfirm={() => void publish()}
          onClose={() => setAsked(false)}
        >
          <p>{say("publish.told")}</p>
        </Confirm>
      ) : null}
    </>
  );
}
