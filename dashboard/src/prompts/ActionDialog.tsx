import { lazyComponent } from '../lib/chunks.ts';
import type { Prompt } from '../lib/types.ts';
import type { RowAction } from './RowMenu.tsx';
import type { BulkAction } from './SelectionBar.tsx';

export type PromptAction = RowAction | BulkAction;

const DeployDialog = lazyComponent(async () => (await import('../editor/labels/DeployDialog.tsx')).DeployDialog);
const DetailsDialog = lazyComponent(async () => (await import('../editor/DetailsDialog.tsx')).DetailsDialog);
const DeleteDialog = lazyComponent(async () => (await import('./DeleteDialog.tsx')).DeleteDialog);
const TagDialog = lazyComponent(async () => (await import('./TagDialog.tsx')).TagDialog);
const MoveDialog = lazyComponent(async () => (await import('./MoveDialog.tsx')).MoveDialog);
const CopyDialog = lazyComponent(async () => (await import('./CopyDialog.tsx')).CopyDialog);
const DeployManyDialog = lazyComponent(async () => (await import('./DeployManyDialog.tsx')).DeployManyDialog);

interface ActionDialogProps {
  action: PromptAction;
  prompts: Prompt[];
  onClose: () => void;
  onDone: () => void;
}

/** The dialog for an action on prompts in the list. */
export function ActionDialog({ action, prompts, onClose, onDone }: ActionDialogProps) {
  const [prompt] = prompts;
  const done = () => {
    onClose();
    onDone();
  };
  if (!prompt) return null;
  switch (action) {
    case 'deploy':
      return <DeployDialog prompt={prompt} version={prompt.latestVersion} onClose={onClose} onDeployed={onClose} />;
    case 'details':
      return <DetailsDialog prompt={prompt} onClose={onClose} stay />;
    case 'delete':
      return <DeleteDialog names={prompts.map(({ name }) => name)} onClose={onClose} leave={async () => onDone()} />;
    case 'tag':
      return <TagDialog prompts={prompts} onClose={onClose} onDone={done} />;
    case 'move':
      return <MoveDialog prompts={prompts} onClose={onClose} onDone={done} />;
    case 'copy':
      return <CopyDialog prompts={prompts} onClose={onClose} onDone={done} />;
    case 'deployMany':
      return <DeployManyDialog prompts={prompts} onClose={onClose} onDone={done} />;
    default:
      return null;
  }
}
