import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, Suspense, useState } from 'react';
import { lazyComponent, loadChunk } from '../lib/chunks.ts';
import type { Prompt } from '../lib/types.ts';
import type { RowAction } from './RowMenu.tsx';
import type { BulkAction } from './SelectionBar.tsx';

type Action = RowAction | BulkAction;

const DeployDialog = lazyComponent(async () => (await import('../editor/DeployDialog.tsx')).DeployDialog);
const DetailsDialog = lazyComponent(async () => (await import('../editor/DetailsDialog.tsx')).DetailsDialog);
const DeleteDialog = lazyComponent(async () => (await import('./DeleteDialog.tsx')).DeleteDialog);
const TagDialog = lazyComponent(async () => (await import('./TagDialog.tsx')).TagDialog);
const MoveDialog = lazyComponent(async () => (await import('./MoveDialog.tsx')).MoveDialog);
const DeployManyDialog = lazyComponent(async () => (await import('./DeployManyDialog.tsx')).DeployManyDialog);

/** Runs the actions of the list on some prompts, most of them in a dialog. */
export function usePromptActions(onDone: () => void): { run: (action: Action, prompts: Prompt[]) => void; dialog: ReactNode } {
  const navigate = useNavigate();
  const [open, setOpen] = useState<{ action: Action; prompts: Prompt[] }>();
  const close = () => setOpen(undefined);

  const run = async (action: Action, prompts: Prompt[]) => {
    const [prompt] = prompts;
    if (action === 'export') await (await loadChunk(() => import('./export.ts'))).exportPrompts(prompts);
    else if (action === 'duplicate' && prompt) {
      const copy = await (await loadChunk(() => import('./duplicate.ts'))).duplicatePrompt(prompt);
      if (copy !== undefined) await navigate({ to: '/dashboard/prompts/$', params: { _splat: copy } });
    } else setOpen({ action, prompts });
  };

  return {
    run: (action, prompts) => void run(action, prompts),
    dialog: <Suspense>{open && renderDialog(open, { close, onDone })}</Suspense>,
  };
}

function renderDialog(
  { action, prompts }: { action: Action; prompts: Prompt[] },
  { close, onDone }: { close: () => void; onDone: () => void },
) {
  const [prompt] = prompts;
  const done = () => {
    close();
    onDone();
  };
  if (!prompt) return null;
  switch (action) {
    case 'deploy':
      return <DeployDialog prompt={prompt} version={prompt.latestVersion} onClose={close} onDeployed={close} />;
    case 'details':
      return <DetailsDialog prompt={prompt} onClose={close} stay />;
    case 'delete':
      return <DeleteDialog names={prompts.map(({ name }) => name)} onClose={close} leave={async () => onDone()} />;
    case 'tag':
      return <TagDialog prompts={prompts} onClose={close} onDone={done} />;
    case 'move':
      return <MoveDialog prompts={prompts} onClose={close} onDone={done} />;
    case 'deployMany':
      return <DeployManyDialog prompts={prompts} onClose={close} onDone={done} />;
    default:
      return null;
  }
}
