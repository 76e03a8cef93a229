import { Link } from '@tanstack/react-router';
import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { workspaceHeader } from '../../../src/contract/permissions.ts';
import { messageOf } from '../lib/api.ts';
import { useWorkspace } from '../lib/workspace.ts';
import { fetchKey } from '../settings/account.ts';
import { Button } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { CodeBlock } from '../ui/CodeBlock.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { toastFailure } from '../ui/toasts.ts';
import { ConnectionStatus } from './ConnectionStatus.tsx';
import { mcpClients } from './clients.ts';
import { SendResults } from './SendResults.tsx';

const shownKey = 'ph_••••••••';
const options = mcpClients.map(({ id, name }) => ({ value: id, label: name }));
const linkClass = 'rounded-sm font-medium text-accent-ink underline underline-offset-3';

/** Explains how to connect assistants to the prompts of this workspace. */
export function ConnectPage() {
  const workspace = useWorkspace();
  const [selected, setSelected] = useState(options[0]?.value ?? '');
  const [key, setKey] = useState<string>();
  const client = mcpClients.find(({ id }) => id === selected);

  const codeWith = (token: string) =>
    client?.format({
      url: `${location.origin}/mcp`,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(!workspace.isOwn && workspace.id !== undefined && { [workspaceHeader]: workspace.id }),
      },
    }) ?? '';
  const toggleKey = async () => {
    try {
      setKey(key === undefined ? await fetchKey() : undefined);
    } catch (err) {
      toastFailure(messageOf(err));
    }
  };

  return (
    <>
      <Section
        title="Connect an assistant"
        description="Prompts in production become slash commands. Assistants can also read, render and save prompts with tools, if your role allows it."
        footer={<ConnectionStatus />}
      >
        {/* Six names do not fit on a phone, so the row scrolls. */}
        <div className="-m-1 overflow-x-auto p-1">
          <div className="w-max">
            <Segmented label="Assistant" value={selected} options={options} onChange={setSelected} />
          </div>
        </div>
        <p className="mt-4 mb-2 text-ink-2">{client?.place}</p>
        <CodeBlock
          label={`${client?.name} setup`}
          code={codeWith(key ?? shownKey)}
          codeWithKey={async () => codeWith(key ?? (await fetchKey()))}
        />
        <div className="mt-3 flex flex-wrap items-center justify-between gap-2">
          <p className="text-ink-3 text-xs">Keep the key out of version control.</p>
          <Button size="sm" onClick={toggleKey}>
            {key === undefined ? <Eye aria-hidden className="size-4" /> : <EyeOff aria-hidden className="size-4" />}
            {key === undefined ? 'Show key' : 'Hide key'}
          </Button>
        </div>
      </Section>
      <Section title="More about assistants">
        <ul className="list-disc space-y-2 pl-4 text-ink-2 marker:text-ink-3">
          <li>
            To use another label, add it to the address: <code className="font-mono text-xs">/mcp?label=staging</code>
          </li>
          <li>
            A prompt’s variables become the arguments of its command. You can describe them in the config:{' '}
            <code className="font-mono text-xs break-words">
              {'{"variables": {"tone": {"description": "…", "enum": ["warm", "dry"]}}}'}
            </code>
          </li>
          <li>
            For an assistant that should only read, create a service account with the viewer role under{' '}
            <Link to="/dashboard/settings/members" className={linkClass}>
              Members
            </Link>
            .
          </li>
        </ul>
      </Section>
      <SendResults />
    </>
  );
}
