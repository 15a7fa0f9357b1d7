import { Link } from "@tanstack/react-router";
import { useTexts } from "../../texts/language.tsx";
import { Page } from "../../ui/page.tsx";

export function NotFound() {
  const say = useTexts();
  return (
    <Page
      name="not-found"
      title={say("notfound.title")}
      state="empty"
      empty={<Link to="/">{say("notfound.back")}</Link>}
    />
  );
}
