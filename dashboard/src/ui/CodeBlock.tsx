import { CopyButton } from './CopyButton.tsx';

/** Code to copy. The copied text may contain more than is shown, such as the API key. */
export function CodeBlock({ code, copy, label }: { code: string; copy?: () => Promise<string>; label: string }) {
  return (
    // The button is beside the code, or above it on a phone, and never over it.
    <div className="flex flex-col-reverse rounded-md border border-line bg-sunken sm:flex-row">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard. */}
      <section aria-label={label} tabIndex={0} className="min-w-0 flex-1 overflow-x-auto">
        <pre className="px-3 pb-3 font-mono sm:pt-3 text-xs leading-5">{code}</pre>
      </section>
      <div className="self-end p-1.5 sm:self-start">
        <CopyButton size="sm" text={copy ?? code} label={`Copy ${label}`} />
      </div>
    </div>
  );
}
