import { CodeBlock } from '../ui/CodeBlock.tsx';

/** If an error message contains the setting that allows an address, shows the setting as a line to copy. */
export function AllowLine({ message }: { message: string | undefined }) {
  const line = /OUTBOUND_ALLOW=[^\s,]+/.exec(message ?? '')?.[0];
  if (line === undefined) return null;
  return (
    <div className="space-y-1.5 text-ink-2 text-xs">
      <p>The operator can allow the address with this setting. If the setting already has a value, add the host after a comma.</p>
      <CodeBlock label="setting" code={line} />
    </div>
  );
}
