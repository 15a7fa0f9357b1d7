import { useEffect, useState } from "react";

/** Below that, one reads what stands further down. */
const TOP_PIXELS = 160;

/** Whoever reads further down does not want rows to move. */
export function useScrolled(): boolean {
  const [scrolled, setScrolled] = useState(false);
  useEffect(() => {
    const look = () => setScrolled(window.scrollY > TOP_PIXELS);
    window.addEventListener("scroll", look, { passive: true });
    return () => window.removeEventListener("scroll", look);
  }, []);
  return scrolled;
}
