import { Link, useNavigate } from '@tanstack/react-router';
import { Ellipsis, PenLine, Rocket, Save, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Prompt } from '../lib/types.ts';
import { mayEdit, useWorkspace } from '../lib/workspace.ts';
import { deletePrompt } from '../prompts/actions.ts';
import { Badge, LabelBadge } from '../ui/Badge.tsx';
import { Button, IconButton } from '../ui/Button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/Menu.tsx';
import { DetailsDialog } from './DetailsDialog.tsx';

interface PromptHeaderProps {
  prompt: Prompt;
  isDirty: boolean;
  onSave: () => void;
  onDeploy: () => void;
}

export function PromptHeader({ prompt, isDirty, onSave, onDeploy }: PromptHeaderProps) {
  const navigate = useNavigate();
  const workspace = useWorkspace();
  const { protectedLabels } = workspace;
  const [editing, setEditing] = useState(false);
  const { name, type, description, labels, latestVersion } = prompt;
  const parts = name.split('/');

  const remove = () => deletePrompt(name, () => navigate({ to: '/dashboard/prompts' }));

  return (
    <header className="mb-4">
      <nav aria-label="Folders" className="mb-1 flex flex-wrap items-center gap-1 text-ink-3 text-xs">
        <Link to="/dashboard/prompts" className="rounded-sm hover:text-ink">
          Prompts
        </Link>
        {parts.slice(0, -1).map((part, index) => {
          const folder = parts.slice(0, index + 1).join('/');
          return (
            <span key={folder} className="flex items-center gap-1">
              <span aria-hidden>/</span>
              <Link to="/dashboard/prompts" search={{ folder }} className="rounded-sm hover:text-ink">
                {part}
              </Link>
            </span>
          );
        })}
        <span aria-hidden>/</span>
      </nav>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="min-w-0">
          <h1 aria-label={name} className="font-semibold text-xl tracking-tight break-all">
            {parts.at(-1)}
          </h1>
          <div className="mt-1 flex flex-wrap items-center gap-1.5 text-ink-3 text-xs">
            <Badge>{type}</Badge>
            {Object.entries(labels).map(([label, version]) => (
              <LabelBadge key={label} label={label} version={version} isProtected={protectedLabels.includes(label)} />
            ))}
            <span className="px-0.5">latest v{latestVersion}</span>
            {isDirty && <Badge tone="warn">Unsaved changes</Badge>}
          </div>
          {description !== '' && <p className="mt-2 max-w-2xl text-ink-2">{description}</p>}
        </div>
        <div className={mayEdit(workspace) ? 'flex flex-wrap items-center gap-2' : 'hidden'}>
          <Menu
            trigger={
              <IconButton label="More actions">
                <Ellipsis aria-hidden className="size-4" />
              </IconButton>
            }
          >
            <MenuItem icon={PenLine} onSelect={() => setEditing(true)}>
              Name, description, tags
            </MenuItem>
            <MenuSeparator />
            <MenuItem icon={Trash2} danger onSelect={remove}>
              Delete
            </MenuItem>
          </Menu>
          <Button onClick={onDeploy}>
            <Rocket aria-hidden className="size-4" />
            Deploy
          </Button>
          <Button kind="primary" disabled={!isDirty} onClick={onSave} title="Save as a new version (Ctrl+S)">
            <Save aria-hidden className="size-4" />
            Save version
          </Button>
        </div>
        {!mayEdit(workspace) && (
          <p className="max-w-xs text-ink-3 text-xs">Your role here is viewer. You can try changes in the preview, but not save them.</p>
        )}
      </div>
      {editing && <DetailsDialog prompt={prompt} onClose={() => setEditing(false)} />}
    </header>
  );
}
