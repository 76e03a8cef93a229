import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Prompt } from '../lib/types.ts';
import { versionQuery } from '../prompts/queries.ts';
import { fetchKey } from '../settings/account.ts';
import { Section } from '../ui/Card.tsx';
import { CodeBlock } from '../ui/CodeBlock.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { Select } from '../ui/Select.tsx';
import { fetchSnippet, keyPlaceholder, languages, renderSnippet, type SnippetLanguage } from './snippets.ts';

/** Ready to paste: fetch the prompt, or let the server fill it. */
export function UsePane({ prompt }: { prompt: Prompt }) {
  const [language, setLanguage] = useState<SnippetLanguage>('curl');
  const [label, setLabel] = useState('production');
  const version = useQuery(versionQuery(prompt.name, prompt.labels[label] ?? prompt.latestVersion));
  const options = { origin: location.origin, name: prompt.name, label, variables: version.data?.variables ?? [] };
  const withKey = (code: string) => (language === 'curl' ? { copy: async () => code.replace(keyPlaceholder, await fetchKey()) } : {});
  const fetching = fetchSnippet(language, options);
  const rendering = renderSnippet(language, options);

  return (
    <div className="max-w-3xl space-y-6">
      <div className="flex flex-wrap items-center gap-3">
        <Segmented label="Language" value={language} options={languages} onChange={setLanguage} />
        <Select aria-label="Label" value={label} onChange={(event) => setLabel(event.target.value)}>
          {[...new Set(['production', ...Object.keys(prompt.labels), 'latest'])].map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
      </div>
      <Section title="Fetch it" description="The template, to fill in your own code.">
        <CodeBlock label="fetch snippet" code={fetching} {...withKey(fetching)} />
      </Section>
      <Section title="Render it" description="The finished text, filled by the server with your variables.">
        <CodeBlock label="render snippet" code={rendering} {...withKey(rendering)} />
      </Section>
      <p className="text-ink-3 text-xs">
        {language === 'curl'
          ? 'A copied command holds your real key. '
          : 'Give your program the key in the environment variable PROMPTHARBOR_KEY. '}
        You find it under{' '}
        <Link to="/dashboard/settings/api-keys" className="rounded-sm font-medium text-accent-ink underline underline-offset-3">
          Settings, API Keys
        </Link>
        .
      </p>
    </div>
  );
}
