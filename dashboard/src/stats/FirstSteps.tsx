import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check, Plus, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { latestLabel, productionLabel } from '../../../src/contract/label-names.ts';

import { promptPath } from '../lib/prompt-path.ts';
import { readStored, writeStored } from '../lib/storage.ts';
import type { Prompt } from '../lib/types.ts';
import { fetchKey } from '../settings/account.ts';
import { buttonClass, IconButton } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { CodeBlock } from '../ui/CodeBlock.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { newestPromptQuery } from './queries.ts';

const shownKey = 'ph_••••••••';
const copiedKey = 'first-steps-key-copied';
const linkClass = 'rounded-sm font-medium text-accent-ink underline underline-offset-3';

/** The steps from an empty workspace to the first call. Each step is checked off automatically. */
export function FirstSteps({ hasCall, onClose }: { hasCall: boolean; onClose?: () => void }) {
  const { data: prompt } = useQuery(newestPromptQuery);
  const [isCopied, setIsCopied] = useState(() => readStored(copiedKey) !== undefined);
  const copy = async (withKey: (key: string) => string) => {
    const text = withKey(await fetchKey());
    setIsCopied(true);
    writeStored(copiedKey, 'yes');
    return text;
  };
  const command = (key: string) => `curl ${urlOf(prompt)} \\\n  -H "Authorization: Bearer ${key}"`;
  const hasPrompt = prompt !== undefined;

  return (
    <Card className="relative max-w-3xl p-5 sm:p-8">
      {onClose && (
        <div className="absolute top-2 right-2">
          <IconButton label="Close" onClick={onClose}>
            <X aria-hidden className="size-4" />
          </IconButton>
        </div>
      )}
      <h2 className="font-semibold text-lg">First steps</h2>
      <p className="mt-0.5 mb-6 text-ink-2">Three steps to your application’s first call.</p>
      <ol>
        <Step number={1} title="Write a prompt" isDone={hasCall || hasPrompt}>
          {prompt ? (
            <>
              You have{' '}
              <Link to="/dashboard/prompts/$" params={{ _splat: prompt.name }} className={`${linkClass} wrap-anywhere`}>
                {prompt.name}
              </Link>
              .
            </>
          ) : (
            <>
              <p>Text with {'{{ variables }}'}, kept outside your code. You can change it without redeploying your application.</p>
              <Link to="/dashboard/new" className={`mt-3 ${buttonClass('primary')}`}>
                <Plus aria-hidden className="size-4" />
                New prompt
              </Link>
            </>
          )}
        </Step>
        <Step number={2} title="Copy your API key" isDone={hasCall || isCopied}>
          <div className="flex flex-wrap items-center gap-2">
            <code className="flex h-8 items-center rounded-md border border-line bg-sunken px-2.5 font-mono text-xs">
              <span aria-hidden>{shownKey}</span>
              <span className="sr-only">Hidden key</span>
            </code>
            <CopyButton label="Copy key" text={() => copy((key) => key)} />
          </div>
          <p className="mt-2 text-ink-3 text-xs">
            Keep it secret. You can find it again under{' '}
            <Link to="/dashboard/settings/api-keys" className="rounded-sm underline underline-offset-3">
              Settings › API Keys
            </Link>
            .
          </p>
        </Step>
        <Step number={3} title="Run the snippet" isDone={hasCall} isLast>
          <CodeBlock label="command" code={command(shownKey)} codeWithKey={() => copy(command)} />
          <p role="status" className={`mt-4 flex items-center gap-2 ${hasCall ? 'font-medium text-accent-ink' : ''}`}>
            <span aria-hidden className={`size-2 rounded-full bg-accent ${hasCall ? '' : 'animate-pulse-soft'}`} />
            {hasCall ? 'Your first call has arrived.' : 'Waiting for the first call…'}
          </p>
        </Step>
      </ol>
    </Card>
  );
}

/** Returns a URL that responds with 200. Its label is `production`, or another label that the prompt has. */
function urlOf(prompt: Prompt | undefined): string {
  if (!prompt) return `${location.origin}/api/prompts`;
  const url = location.origin + promptPath(prompt.name);
  if (prompt.labels[productionLabel] !== undefined) return url;
  return `"${url}?label=${Object.keys(prompt.labels)[0] ?? latestLabel}"`;
}

interface StepProps {
  number: number;
  title: string;
  isDone: boolean;
  isLast?: boolean;
  children: ReactNode;
}

function Step({ number, title, isDone, isLast = false, children }: StepProps) {
  return (
    <li className="flex gap-4">
      <div className="flex flex-col items-center">
        <span
          aria-hidden
          className={`flex size-6 shrink-0 items-center justify-center rounded-full font-semibold text-xs ${isDone ? 'bg-accent text-on-accent' : 'border border-line-strong text-ink-2'}`}
        >
          {isDone ? <Check className="size-3.5" strokeWidth={3} /> : number}
        </span>
        {!isLast && <span aria-hidden className={`w-px flex-1 ${isDone ? 'bg-accent' : 'bg-line-strong'}`} />}
      </div>
      <div className={`min-w-0 flex-1 ${isLast ? '' : 'pb-8'}`}>
        <h3 className="font-semibold text-base leading-6">
          {title}
          {isDone && <span className="sr-only"> (done)</span>}
        </h3>
        <div className="mt-1.5 text-ink-2">{children}</div>
      </div>
    </li>
  );
}
