import layout from "./layout.module.css";

type CodeBlockProps = {
  readonly label: string;
  readonly children: string;
  /** Written by somebody else. */
  readonly isForeign?: boolean;
} & Readonly<Record<`data-${string}`, string>>;

/** Preformatted text that scrolls by itself. */
export function CodeBlock({ label, children, isForeign = false, ...rest }: CodeBlockProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div role="group" aria-label={label} tabIndex={0} className={layout.codeBox}>
      <pre
        className={layout.code}
        dir={isForeign ? "auto" : "ltr"}
        {...(isForeign ? { "data-user-text": "" } : {})}
        {...rest}
      >
        {children}
      </pre>
    </div>
  );
}
