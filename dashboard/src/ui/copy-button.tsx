import { useState } from "react";
import { useTexts } from "../texts/language.tsx";
import { Button } from "./controls.tsx";

/** Not rendered where the browser blocks the clipboard: on pages over plain http. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const say = useTexts();
  const [copied, setCopied] = useState<string>();
  if (!window.isSecureContext) return null;
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(text);
  };
  return (
    <Button onClick={copy} aria-label={`${say("copy")}: ${label}`}>
      <span role="status">{copied === text ? say("copied") : say("copy")}</span>
    </Button>
  );
}
