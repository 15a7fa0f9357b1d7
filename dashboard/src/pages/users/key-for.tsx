import { useState } from "react";
import type { UserRecord } from "../../../../contract/user.ts";
import { post } from "../../api/request.ts";
import { Fault, Row } from "../../records/records.tsx";
import { useCommand } from "../../records/use-command.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Dialog } from "../../ui/controls.tsx";
import { ShownKey } from "./shown-key.tsx";
import { type NewKey, PATH, TEXTS } from "./texts.ts";

/** A key for an owner who lost all keys. */
export function KeyFor({
  user: { id, name },
  onClose,
}: {
  readonly user: UserRecord;
  readonly onClose: () => void;
}) {
  const say = useTexts(TEXTS);
  const { busy, fault, run } = useCommand();
  const [made, setMade] = useState<NewKey>();
  const make = async () =>
    setMade(await run(() => post(`${PATH}/:id/api-keys`, { params: { id }, body: {} })));
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
