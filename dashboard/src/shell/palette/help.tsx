import { useTexts } from "../../texts/language.tsx";
import { Dialog } from "../../ui/controls.tsx";
import styles from "./palette.module.css";
import { TEXTS } from "./texts.ts";

const EVERYWHERE = ["⌘K", "/", "g c", "g l", "?", "Esc"] as const;
const CAMPAIGN = ["p", "l", ",", ".", "[", "]", "d", "e"] as const;

/** All keyboard shortcuts. */
export function Help({ onClose }: { readonly onClose: () => void }) {
  const say = useTexts(TEXTS);
  const keys = (shown: readonly (typeof EVERYWHERE | typeof CAMPAIGN)[number][]) => (
    <dl className={styles.keys}>
      {shown.map((key) => (
        <div key={key} style={{ display: "contents" }}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{say(`key.${key}`)}</dd>
        </div>
      ))}
    </dl>
  );
  return (
    <Dialog title={say("keys")} onClose={onClose}>
      <div data-testid="keys" className={styles.sheet}>
        <h3>{say("keys.everywhere")}</h3>
        {keys(EVERYWHERE)}
        <h3>{say("keys.campaign")}</h3>
        {keys(CAMPAIGN)}
      </div>
    </Dialog>
  );
}
