import { useState } from "react";
import type { ApiKeyRecord } from "../../../../contract/api-key.ts";
import { remove } from "../../api/request.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Dialog } from "../../ui/controls.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import layout from "../../ui/layout.module.css";
import { en } from "./en.ts";
import { tr } from "./tr.ts";

const TEXTS = { en, tr };

type RevokeDialogProps = {
  readonly doomed: ApiKeyRecord;
  readonly isOwn: boolean;
  readonly onClose: () => void;
  readonly onRevoked: () => Promise<void>;
};

export function RevokeDialog({ doomed, isOwn, onClose, onRevoked }: RevokeDialogProps) {
  const say = useTexts(TEXTS);
  const own = useTexts();
  const [fault, setFault] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const revoke = async () => {
    setBusy(true);
    setFault(null);
    try {
      await remove("/api/v1/api-keys/:id", { params: { id: doomed.id } });
      onClose();
      await onRevoked();
    } catch (error) {
      setFault(error);
      setBusy(false);
    }
  };
  return (
    <Dialog title={say("revoke.title")} onClose={onClose}>
      <div className={layout.stack}>
        <p data-user-text="" dir="auto">
          {say("revoke.about", { name: doomed.name })}
        </p>
        {isOwn ? <p role="alert">{say("revoke.own")}</p> : null}
        {fault === null ? null : (
          <p role="alert">
            <ErrorText error={fault} />
          </p>
        )}
        <div className={layout.row}>
          <Button look="danger" data-testid="revoke-confirm" disabled={busy} onClick={revoke}>
            {say("revoke")}
          </Button>
          <Button onClick={onClose}>{own("dialog.cancel")}</Button>
        </div>
      </div>
    </Dialog>
  );
}
