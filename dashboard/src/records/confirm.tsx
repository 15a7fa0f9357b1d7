import type { ReactNode } from "react";
import { useTexts } from "../texts/language.tsx";
import { Button, Dialog } from "../ui/controls.tsx";
import { Fault, Row } from "./records.tsx";

/** Asks for confirmation before something that cannot be undone, in red where something is lost by it. */
export function Confirm({
  title,
  action,
  look = "grave",
  command: { busy, fault },
  onConfirm,
  onClose,
  children,
}: {
  readonly title: string;
  readonly action: string;
  readonly look?: "strong" | "grave";
  readonly command: { readonly busy: boolean; readonly fault: unknown };
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}) {
  const say = useTexts();
  return (
    <Dialog title={title} onClose={onClose}>
      <div style={{ display: "grid", gap: 14 }}>
        {children}
        <Fault error={fault} />
        <Row>
          <Button look={look} data-testid="confirm" disabled={busy} onClick={onConfirm}>
            {action}
          </Button>
          <Button onClick={onClose}>{say("dialog.cancel")}</Button>
        </Row>
      </div>
    </Dialog>
  );
}
