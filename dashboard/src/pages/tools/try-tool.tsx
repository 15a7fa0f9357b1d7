import { useState } from "react";
import type { ToolRecord } from "../../../../contract/tool.ts";
import type { ToolTestRecord } from "../../../../contract/tool-test.ts";
import { post } from "../../api/request.ts";
import { Form, Json, Muted, Row, UserText } from "../../records/records.tsx";
import { useCommand } from "../../records/use-command.ts";
import { useTexts } from "../../texts/language.tsx";
import { Badge, Button, Dialog, TextField } from "../../ui/controls.tsx";
import { BadField, objectOf } from "./config.ts";
import { TEXTS, TOOL } from "./texts.ts";

/** Runs it with arguments as a model might give them. */
export function TryTool({ tool, onClose }: { readonly tool: ToolRecord; readonly onClose: () => void }) {
  const say = useTexts(TEXTS);
  const { busy, fault, run } = useCommand();
  const [tried, setTried] = useState<ToolTestRecord>();
  const bad = fault instanceof BadField ? fault : null;
  const tryIt = async (fields: FormData) => {
    const answer = await run(async () =>
      post(`${TOOL}/test`, {
        params: { toolId: tool.id },
        body: { arguments: objectOf(fields, "arguments") },
      }),
    );
    setTried(answer);
  };
  return (
    <Dialog title={say("try.title", { name: tool.name })} onClose={onClose}>
      <Form onSubmit={tryIt} fault={bad === null ? fault : null}>
        <p>{say("try.told")}</p>
        <TextField
          label={say("arguments")}
          name="arguments"
          dir="ltr"
          defaultValue="{}"
          fault={bad === null ? undefined : say(bad.kind)}
        />
        <Row>
          <Button type="submit" look="strong" data-testid="run" disabled={busy}>
            {say("try.run")}
          </Button>
        </Row>
        {tried === undefined ? null : <Answer tried={tried} />}
      </Form>
    </Dialog>
  );
}

function Answer({
  tried: { outcome, millis, request, response, shown },
}: {
  readonly tried: ToolTestRecord;
}) {
  const say = useTexts(TEXTS);
  return (
    <div role="status" data-testid="tried" style={{ display: "grid", gap: 8 }}>
      <Row>
        <Badge tone={outcome === "answered" ? "good" : "bad"} data-value={outcome}>
          {say(`outcome.${outcome}`)}
        </Badge>
        <Muted>{say("millis", { millis })}</Muted>
      </Row>
      <Muted>{say("request")}</Muted>
      <Json value={request} />
      <Muted>{say("response")}</Muted>
      <Json value={response} />
      <Muted>{say("shown")}</Muted>
      <UserText>{shown}</UserText>
    </div>
  );
}
