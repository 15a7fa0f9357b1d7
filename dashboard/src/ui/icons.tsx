const HANDSET = "M6 4h3l2 5-2.5 1.5a11 11 0 0 0 5 5L15 13l5 2v3a2 2 0 0 1-2 2A14 14 0 0 1 4 6a2 2 0 0 1 2-2z";

/** One family of icons: strokes on a field of 24 by 24, by the path of the page or by what they do. */
const DRAWN: Readonly<Record<string, string>> = {
  "/": "M4 4h6v8H4zM14 4h6v5h-6zM14 13h6v7h-6zM4 16h6v4H4z",
  "/campaigns": "M4 10v4h3l9 5V5l-9 5zM19.5 9.5a4 4 0 0 1 0 5M7 14v5h3.5v-3",
  "/calls": HANDSET,
  "/numbers": "M4 6h16M4 12h5M4 18h5M15.5 18a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM18 17l3 3",
  "/policy": "M6 3h12v18H6zM9 8l1.2 1.2L12.5 7M14.5 8.2H15M9 13.5l1.2 1.2 2.3-2.2M14.5 13.7H15M9 18h6",
  "/do-not-call": "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM5.6 5.6l12.8 12.8",
  "/assistants": "M5 9h14v10H5zM12 9V4M9.5 13v2M14.5 13v2M2.5 13v2M21.5 13v2",
  "/squads":
    "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20a6 6 0 0 1 12 0M16 4.3a3.5 3.5 0 0 1 0 6.4M18 14.8a6 6 0 0 1 3 5.2",
  "/tools":
    "M20 7.5a4.5 4.5 0 0 1-6.2 4.2L7 18.5a2 2 0 0 1-2.8-2.8L11 8.9A4.5 4.5 0 0 1 16.5 3L14 5.5l.8 2.7 2.7.8z",
  "/phone-numbers": "M5 9h15M4 15h15M10 4 8 20M16 4l-2 16",
  "/webhooks": "M14 4h6v6M20 4l-9 9M18 14v4a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h4",
  "/deliveries": "M21 3 10 14M21 3l-7 18-4-7-7-4z",
  "/events": "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01",
  "/api-keys": "M8 20a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM11 13l9-9M16.5 7.5 19 10",
  "/credits":
    "M12 9c4.4 0 8-1.3 8-3s-3.6-3-8-3-8 1.3-8 3 3.6 3 8 3zM4 6v6c0 1.7 3.6 3 8 3s8-1.3 8-3V6M4 12v6c0 1.7 3.6 3 8 3s8-1.3 8-3v-6",
  "/connections": "M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4",
  "/users": "M12 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21a8 8 0 0 1 16 0",
  "/privacy": "M12 3l8 3v6c0 4.5-3.2 7.7-8 9-4.8-1.3-8-4.5-8-9V6zM9 12l2 2 4-4",
  phone: HANDSET,
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6 6 18",
  filters: "M4 6h16M7 12h10M10 18h4",
  good: "M5 12.5l4.5 4.5L19 7.5",
  down: "M6 9l6 6 6-6",
  right: "M9 6l6 6-6 6",
  waits: "M12 12h.01",
  now: "M6 12h.01M12 12h.01M18 12h.01",
  play: "M7 5l11 7-11 7z",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4.5 4.5",
};
/** For a page without an icon. */
const SHEET = "M6 3h8l5 5v13H6zM14 3v5h5";

type IconProps = {
  readonly of: string;
  /** Within a line of text. */
  readonly isSmall?: boolean;
};

/** Hidden from screen readers: the name is next to it. */
export function Icon({ of, isSmall = false }: IconProps) {
  const size = isSmall ? 13 : 17;
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      style={isSmall ? { verticalAlign: -2 } : undefined}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={DRAWN[of] ?? SHEET} />
    </svg>
  );
}
