import type { Finding } from '../../../src/formats/draft-types.ts';
import { plural } from '../lib/format.ts';
import { Card } from '../ui/Card.tsx';
import { FindingList } from './FindingList.tsx';

/** Lists the findings that do not concern a single prompt, and the files that were skipped. */
export function OtherFindings({ findings, ignored }: { findings: Finding[]; ignored: string[] }) {
  if (findings.length === 0 && ignored.length === 0) return null;
  return (
    <Card className="divide-y divide-line">
      {findings.length > 0 && (
        <details className="px-4 py-3">
          <summary className="cursor-pointer font-medium">{plural(findings.length, 'note')} about the files</summary>
          <FindingList findings={findings} />
        </details>
      )}
      {ignored.length > 0 && (
        <details className="px-4 py-3">
          <summary className="cursor-pointer font-medium">{plural(ignored.length, 'file')} in an unknown format skipped</summary>
          <ul className="mt-2 max-h-60 overflow-y-auto text-ink-2 text-xs">
            {ignored.slice(0, 500).map((path) => (
              <li key={path} dir="auto" className="break-words py-0.5">
                {path}
              </li>
            ))}
          </ul>
        </details>
      )}
    </Card>
  );
}
