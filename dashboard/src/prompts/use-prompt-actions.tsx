import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, Suspense, useState } from 'react';
import { lazyComponent, loadChunk } from '../lib/chunks.ts';
import type { Prompt } from '../lib/types.ts';
import type { PromptAction } from './ActionDialog.tsx';

const ActionDialog = lazyComponent(async () => (await import('./ActionDialog.tsx')).ActionDialog);

/** Returns a function that runs an action of the list on the given prompts, and the dialog in which most actions run. */
export function usePromptActions(onDone: () => void): { run: (action: PromptAction, prompts: Prompt[]) => void; dialog: ReactNode } {
  const navigate = useNavigate();
  const [open, setOpen] = useState<{ action: PromptAction; prompts: Prompt[] }>();

  const run = async (action: PromptAction, prompts: Prompt[]) => {
    const [prompt] = prompts;
    if (action === 'export') await (await loadChunk(() => import('./export.ts'))).exportPrompts(prompts);
    else if (action === 'duplicate' && prompt) {
      const copy = await (await loadChunk(() => import('./duplicate.ts'))).duplicatePrompt(prompt);
      if (copy !== undefined) await navigate({ to: '/dashboard/prompts/$', params: { _splat: copy } });
    } else setOpen({ action, prompts });
  };

  return {
    run: (action, prompts) => void run(action, prompts),
    dialog: <Suspense>{open && <ActionDialog {...open} onClose={() => setOpen(undefined)} onDone={onDone} />}</Suspense>,
  };
}
