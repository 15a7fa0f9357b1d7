import { useEffect, useState } from "react";

/** Scrolled further than this, the user reads lower rows. */
const TOP_PIXELS = 160;

/** True when the user has scrolled down, so that rows should not move. */
export function useScrolled(): boolean {
  const [scrolled, setScrolled] = useState(false);
  useEffect(() => {
    const look = () => setScrolled(window.scrollY > TOP_PIXELS);
    window.addEventListener("scroll", look, { passive: true });
    return () => window.removeEventListener("scroll", look);
  }, []);
  return scrolled;
}
