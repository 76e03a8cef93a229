import type { Finding } from '../../../src/formats/draft-types.ts';
import { Badge } from '../ui/Badge.tsx';

const tones = { error: 'danger', warning: 'warn', note: 'neutral' } as const;
const words = { error: 'Not supported', warning: 'Skipped', note: 'Note' } as const;

/** Lists the findings of an import, line by line. */
export function FindingList({ findings }: { findings: Finding[] }) {
  return (
    <ul className="mt-2 space-y-2">
      {findings.map(({ path, line, construct, message, severity }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
        <li key={index} className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5 text-xs">
          <Badge tone={tones[severity]}>{words[severity]}</Badge>
          <code dir="auto" className="min-w-0 break-words rounded-sm bg-sunken px-1 font-mono text-ink">
            {construct}
          </code>
          <span className="min-w-0 break-words text-ink-2">{message}</span>
          <span className="min-w-0 break-words text-ink-3">
            {path}
            {line !== undefined && `, line ${line}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
