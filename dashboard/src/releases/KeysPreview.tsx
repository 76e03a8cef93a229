import { useQuery } from '@tanstack/react-query';
import { fullWeight } from '../../../src/contract/release-assignment.ts';
import { formatNumber, plural } from '../lib/format.ts';
import type { Prompt } from '../lib/types.ts';
import { CodeBlock } from '../ui/CodeBlock.tsx';
import { keysQuery } from './queries.ts';

interface KeysPreviewProps {
  prompt: Prompt;
  label: string;
  control: number;
  weight: number;
}

/** Says how many keys get the version. If no request had a key, says how callers can send one. */
export function KeysPreview({ prompt, label, control, weight }: KeysPreviewProps) {
  const { data } = useQuery(keysQuery(prompt.name));
  const rest = `Callers without a key get v${control}.`;
  if (!data) return <p className="text-ink-2">The same key always gets the same version. {rest}</p>;
  if (data.keys > 0) {
    const some = Math.round((data.keys * weight) / fullWeight);
    return (
      <p className="text-ink-2" role="status">
        About {formatNumber(some)} of the {plural(data.keys, 'key')} that callers sent in the last {data.days} days will get the new
        version. {rest}
      </p>
    );
  }
  const query = new URLSearchParams({ ...(label !== 'production' && { label }), key: 'user-42' });
  return (
    <div className="space-y-2">
      <p className="text-ink-2">
        No request in the last {data.days} days had a key. {rest} Send a key, such as a user ID, with every request. <GuideLink />
      </p>
      <CodeBlock label="request with a key" code={`GET /api/prompts/${encodeURIComponent(prompt.name)}?${query}`} />
    </div>
  );
}

/** A link to the guide. The guide opens in a new tab, so that the user's input is not lost. */
export function GuideLink() {
  return (
    <a
      href="/docs/guides/releases"
      target="_blank"
      rel="noreferrer"
      className="rounded-sm font-medium text-accent-ink underline underline-offset-3"
    >
      About releases
    </a>
  );
}
