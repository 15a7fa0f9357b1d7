/** The sign of the product; its name is next to it. */
export function Mark({ size = 26 }: { readonly size?: number }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 26 26" fill="none" stroke="var(--accent)">
      <circle cx="13" cy="13" r="11" strokeWidth="2.4" opacity=".45" />
      <circle cx="13" cy="13" r="6.5" strokeWidth="2.4" />
      <circle cx="13" cy="13" r="2.6" fill="var(--accent)" stroke="none" />
    </svg>
  );
}
