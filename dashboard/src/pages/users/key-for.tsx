import { useState } from "react";
import { post } from "../../api/request.ts";
import { Fault, Row } from "../../records/records.tsx";
import { useCommand } from "../../records/use-command.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Dialog } from "../../ui/controls.tsx";
import { ShownKey } from "./shown-key.tsx";
import { type NewKey, PATH, TEXTS, type User } from "./texts.ts";

/** A key for an owner who lost all keys. */
export function KeyFor({
  user: { id, name },
  onClose,
}: {
  readonly user: User;
  readonly onClose: () => void;
}) {
  const say = useTexts(TEXTS);
  const { busy, fault, run } = useCommand();
  const [made, setMade] = useState<NewKey>();
  const make = async () => setMade(await run(() => post<NewKey>(`${PATH}/${id}/api-keys`)));
  return (
    <Dialog title={say("key.title", { name })} onClose={onClose}>
      {made === undefined ? (
        <div style={{ display: "grid", gap: 14 }}>
          <p>{say("key.told")}</p>
          <Fault error={fault} />
          <Row>
            <Button look="strong" data-testid="confirm" disabled={busy} onClick={make}>
              {say("key.make")}
            </Button>
          </Row>
        </div>
      ) : (
        <ShownKey of={made} />
      )}
    </Dialog>
  );
}
