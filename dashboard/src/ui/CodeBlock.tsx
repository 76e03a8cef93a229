import { CopyButton } from './CopyButton.tsx';

interface CodeBlockProps {
  code: string;
  label: string;
  /** Loads the code with the API key, which is masked on the page. The button then says that the key is copied. */
  codeWithKey?: () => Promise<string>;
}

/** Shows code with a button that copies it. */
export function CodeBlock({ code, label, codeWithKey }: CodeBlockProps) {
  return (
    // The button is next to the code, or above it on a phone, and never covers it.
    <div className="flex flex-col-reverse rounded-md border border-line bg-sunken sm:flex-row">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard. */}
      <section aria-label={label} tabIndex={0} className="min-w-0 flex-1 overflow-x-auto">
        <pre className="px-3 pb-3 font-mono sm:pt-3 text-xs leading-5">{code}</pre>
      </section>
      <div className="self-end p-1.5 sm:self-start">
        {codeWithKey ? (
          <CopyButton size="sm" text={codeWithKey} caption="Copy with key" label={`Copy with key: ${label}`} />
        ) : (
          <CopyButton size="sm" text={code} label={`Copy ${label}`} />
        )}
      </div>
    </div>
  );
}
