import { useTexts } from "../texts/language.tsx";
import { Button } from "../ui/controls.tsx";
import { Icon } from "../ui/icons.tsx";
import styles from "./phone.module.css";
import { usePhone } from "./phone-line.ts";
import { TEXTS } from "./texts.ts";

/** In the rail: shows whether the phone is open, and opens it. */
export function PhoneButton({ isShown, onShow }: { readonly isShown: boolean; readonly onShow: () => void }) {
  const say = useTexts(TEXTS);
  const { connection } = usePhone();
  return (
    <Button
      data-testid="phone-button"
      data-state={connection}
      aria-expanded={isShown}
      aria-label={say("phone")}
      title={say(`phone.${connection}`)}
      onClick={onShow}
      className={styles.opener}
    >
      <Icon of="phone" />
    </Button>
  );
}
