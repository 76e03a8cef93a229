import { CopyButton } from './CopyButton.tsx';

/** Code to copy. The copied text may contain more than is shown, such as the API key. */
export function CodeBlock({ code, copy, label }: { code: string; copy?: () => Promise<string>; label: string }) {
  return (
    <div className="relative rounded-md border border-line bg-sunken">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard. */}
      <section aria-label={label} tabIndex={0} className="overflow-x-auto">
        <pre className="py-3 pr-24 pl-3 font-mono text-xs leading-5">{code}</pre>
      </section>
      <div className="absolute top-1.5 right-1.5">
        <CopyButton size="sm" text={copy ?? code} label={`Copy ${label}`} />
      </div>
    </div>
  );
}
