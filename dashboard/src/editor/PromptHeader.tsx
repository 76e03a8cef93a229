import { Link, useNavigate } from '@tanstack/react-router';
import { Copy, Download, Ellipsis, FolderInput, PenLine, Trash2 } from 'lucide-react';
import { Fragment, useState } from 'react';
import { loadChunk } from '../lib/chunks.ts';
import type { Prompt, TemplateSyntax } from '../lib/types.ts';
import { mayEdit, useWorkspace } from '../lib/workspace.ts';
import { FavoriteButton } from '../prompts/FavoriteButton.tsx';
import { useIsFavorite } from '../prompts/favorites.ts';
import { activeRelease } from '../releases/release.ts';
import { Badge, LabelBadge, TagBadge } from '../ui/Badge.tsx';
import { IconButton } from '../ui/Button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/Menu.tsx';
import { CopyDialog, DeleteDialog, DetailsDialog } from './lazy-views.tsx';

interface PromptHeaderProps {
  prompt: Prompt;
  /** The template language of the draft. */
  syntax: TemplateSyntax;
  isDirty: boolean;
}

export function PromptHeader({ prompt, syntax, isDirty }: PromptHeaderProps) {
  const navigate = useNavigate();
  const workspace = useWorkspace();
  const { protectedLabels } = workspace;
  const canEdit = mayEdit(workspace);
  const isFavorite = useIsFavorite();
  const [editing, setEditing] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const [copying, setCopying] = useState(false);
  const { name, type, description, tags, labels, latestVersion } = prompt;
  const parts = name.split('/');
  const duplicate = async () => {
    const copy = await (await loadChunk(() => import('../prompts/duplicate.ts'))).duplicatePrompt(prompt);
    if (copy !== undefined) await navigate({ to: '/dashboard/prompts/$', params: { _splat: copy } });
  };
  const save = async () => (await loadChunk(() => import('../prompts/export.ts'))).exportPrompts([prompt]);

  return (
    <header className="mb-4 shrink-0">
      <nav aria-label="Folders" className="mb-1 flex flex-wrap items-center gap-1 text-ink-3 text-xs">
        <Link to="/dashboard/prompts" className="rounded-sm hover:text-ink">
          Prompts
        </Link>
        {parts.slice(0, -1).map((part, index) => {
          const folder = parts.slice(0, index + 1).join('/');
          return (
            <span key={folder} className="flex max-w-full items-center gap-1">
              <span aria-hidden>/</span>
              <Link to="/dashboard/prompts" search={{ folder }} dir="auto" className="min-w-0 rounded-sm wrap-anywhere hover:text-ink">
                {part}
              </Link>
            </span>
          );
        })}
        <span aria-hidden>/</span>
      </nav>
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0 flex-1">
          <h1 aria-label={name} dir="auto" className="text-left font-semibold text-xl tracking-tight wrap-anywhere">
            {parts.at(-1)}
          </h1>
          <div className="mt-1 flex flex-wrap items-center gap-1.5 text-ink-3 text-xs">
            <Badge>{type}</Badge>
            {syntax === 'mustache' && <Badge>mustache</Badge>}
            {Object.entries(labels).map(([label, version]) => {
              const release = activeRelease(prompt, label);
              const badge = <LabelBadge label={label} version={version} isProtected={protectedLabels.includes(label)} release={release} />;
              if (!release) return <Fragment key={label}>{badge}</Fragment>;
              return (
                <Link
                  key={label}
                  to="/dashboard/prompts/$"
                  params={{ _splat: name }}
                  search={{ view: 'releases' }}
                  className="flex min-w-0 max-w-full rounded-sm hover:opacity-80"
                >
                  {badge}
                </Link>
              );
            })}
            {Object.keys(labels).length === 0 && <Badge>not deployed</Badge>}
            <span className="px-0.5">latest v{latestVersion}</span>
            {isDirty && <Badge tone="warn">Unsaved changes</Badge>}
          </div>
          {description !== '' && (
            <p dir="auto" title={description} className="mt-2 line-clamp-2 max-w-2xl text-left text-ink-2 wrap-anywhere">
              {description}
            </p>
          )}
          {tags.length > 0 && (
            <ul aria-label="Tags" className="mt-2 flex max-w-2xl flex-wrap gap-1">
              {tags.map((tag) => (
                <li key={tag} className="flex max-w-48">
                  <TagBadge tag={tag} />
                </li>
              ))}
            </ul>
          )}
        </div>
        <FavoriteButton prompt={prompt} isFavorite={isFavorite(prompt.id)} className="-mr-3" />
        <Menu
          trigger={
            <IconButton label="More actions">
              <Ellipsis aria-hidden className="size-4" />
            </IconButton>
          }
        >
          {canEdit && (
            <>
              <MenuItem icon={PenLine} onSelect={() => setEditing(true)}>
                Name, description, tags
              </MenuItem>
              <MenuItem icon={Copy} onSelect={duplicate}>
                Duplicate
              </MenuItem>
            </>
          )}
          <MenuItem icon={FolderInput} onSelect={() => setCopying(true)}>
            Copy to workspace…
          </MenuItem>
          <MenuItem icon={Download} onSelect={save}>
            Export as JSON
          </MenuItem>
          {canEdit && (
            <>
              <MenuSeparator />
              <MenuItem icon={Trash2} danger onSelect={() => setDeleting(true)}>
                Delete
              </MenuItem>
            </>
          )}
        </Menu>
      </div>
      {deleting && <DeleteDialog names={[name]} onClose={() => setDeleting(false)} leave={() => navigate({ to: '/dashboard/prompts' })} />}
      {copying && <CopyDialog prompts={[prompt]} onClose={() => setCopying(false)} leave={() => navigate({ to: '/dashboard/prompts' })} />}
      {editing && <DetailsDialog prompt={prompt} onClose={() => setEditing(false)} />}
    </header>
  );
}
