import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { latestLabel } from '../../../../src/contract/label-names.ts';
import { useCurrentWorkspaceId } from '../../lib/current-workspace.ts';
import type { Prompt } from '../../lib/types.ts';
import { versionQuery } from '../../prompts/queries.ts';
import { fetchKey } from '../../settings/account.ts';
import { Section } from '../../ui/Card.tsx';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { Select } from '../../ui/Select.tsx';
import { LangfuseSection } from './LangfuseSection.tsx';
import { chooseLabel, fetchSnippet, languages, renderSnippet, type SnippetLanguage } from './snippets.ts';

/** Shows code snippets that fetch or render the prompt. */
export function CodePane({ prompt }: { prompt: Prompt }) {
  const [language, setLanguage] = useState<SnippetLanguage>('curl');
  const [chosen, setChosen] = useState<string>();
  const { label, labels, note } = chooseLabel(prompt.labels, chosen);
  const version = useQuery(versionQuery(prompt.name, prompt.labels[label] ?? prompt.latestVersion));
  const workspaceId = useCurrentWorkspaceId();
  const options = { origin: location.origin, name: prompt.name, label, variables: version.data?.variables ?? [], workspaceId };

  return (
    <div className="max-w-3xl space-y-6">
      <div className="flex flex-wrap items-center gap-3">
        <Segmented label="Language" value={language} options={languages} onChange={setLanguage} />
        <Select aria-label="Label" value={label} onChange={(event) => setChosen(event.target.value)}>
          {labels.map((name) => (
            <option key={name} value={name}>
              {name === latestLabel ? `${name} (v${prompt.latestVersion})` : `${name} (v${prompt.labels[name]})`}
            </option>
          ))}
        </Select>
      </div>
      {note !== undefined && (
        <p role="status" className="rounded-md bg-warn-soft px-3 py-2 text-warn">
          {note}
        </p>
      )}
      <Section
        title="API key"
        description={
          <>
            The snippets read your key from the environment variable <code className="font-mono text-xs">PROMPTHARBOR_API_KEY</code>. You
            can also find it under{' '}
            <Link to="/dashboard/settings/api-keys" className="rounded-sm font-medium text-accent-ink underline underline-offset-3">
              Settings › API Keys
            </Link>
            .
          </>
        }
        actions={<CopyButton caption="Copy API key" text={fetchKey} />}
      />
      <Section title="Fetch" description="Returns the template. Your code fills in the variables.">
        <CodeBlock label="fetch snippet" code={fetchSnippet(language, options)} />
      </Section>
      <Section title="Render" description="Returns the finished text. The server fills in your variables.">
        <CodeBlock label="render snippet" code={renderSnippet(language, options)} />
      </Section>
      <LangfuseSection version={version.data} />
    </div>
  );
}
