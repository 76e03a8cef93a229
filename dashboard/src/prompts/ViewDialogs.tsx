import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { maxViewNameLength } from '../../../src/contract/limits.ts';
import { messageOf } from '../lib/api.ts';
import type { View } from '../lib/types.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field, FormError, inputClass } from '../ui/Field.tsx';
import { toast } from '../ui/toasts.ts';
import type { PromptFilters } from './filter-search.ts';
import { describeFilters, sortTexts } from './filter-texts.ts';
import { overviewQuery } from './queries.ts';
import { createView, deleteView, renameView, viewsQuery } from './views.ts';

/** Saves the current filters and order of the list under a name. */
export function SaveViewDialog({ filters, onClose }: { filters: PromptFilters; onClose: () => void }) {
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const { data: overview } = useQuery(overviewQuery());
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '' || busy) return;
    setBusy(true);
    try {
      await createView(name.trim(), filters);
      toast(`View ${name.trim()} saved.`);
      onClose();
    } catch (err) {
      setProblem(messageOf(err));
      setBusy(false);
    }
  };
  const parts = [
    filters.folder !== undefined && `Folder: ${filters.folder}`,
    filters.search !== undefined && `Search: ${filters.search}`,
    filters.favorites && 'Favorites',
    ...describeFilters(filters, overview?.authors ?? []).map(({ text }) => text),
    `Sort: ${sortTexts[filters.sort ?? 'name'].toLowerCase()}`,
  ].filter(Boolean);
  return (
    <Dialog open onOpenChange={onClose} title="Save view">
      <form onSubmit={submit} className="space-y-4" noValidate>
        <Field
          label="Name"
          autoFocus
          maxLength={maxViewNameLength}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={problem}
          hint="Only you see your saved views."
        />
        <ul aria-label="Filters in this view" className="rounded-md bg-sunken px-3 py-2 text-ink-2">
          {parts.map((part) => (
            <li key={String(part)} dir="auto" className="wrap-anywhere">
              {part}
            </li>
          ))}
        </ul>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={busy} disabled={name.trim() === ''}>
            Save view
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Renames and deletes saved views. */
export function ManageViewsDialog({ onClose }: { onClose: () => void }) {
  const { data: views = [] } = useQuery(viewsQuery);
  return (
    <Dialog open onOpenChange={onClose} title="Saved views">
      {views.length === 0 ? (
        <p className="text-ink-2">You have no saved views in this workspace.</p>
      ) : (
        <ul className="space-y-2">
          {views.map((view) => (
            <ViewItem key={view.id} view={view} />
          ))}
        </ul>
      )}
      <div className="mt-4 flex justify-end">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

function ViewItem({ view }: { view: View }) {
  const [name, setName] = useState(view.name);
  const [problem, setProblem] = useState<string>();
  const run = async (action: () => Promise<void>) => {
    setProblem(undefined);
    try {
      await action();
    } catch (err) {
      setProblem(messageOf(err));
    }
  };
  const trimmed = name.trim();
  const isChanged = trimmed !== '' && trimmed !== view.name;
  return (
    <li>
      <form
        className="flex items-center gap-1.5"
        onSubmit={(event) => {
          event.preventDefault();
          if (isChanged) void run(() => renameView(view.id, trimmed));
        }}
      >
        <input
          aria-label={`Name of the view ${view.name}`}
          dir="auto"
          maxLength={maxViewNameLength}
          className={inputClass}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" disabled={!isChanged}>
          Rename
        </Button>
        <IconButton label={`Delete the view ${view.name}`} onClick={() => void run(() => deleteView(view.id))}>
          <Trash2 aria-hidden className="size-4" />
        </IconButton>
      </form>
      <FormError>{problem}</FormError>
    </li>
  );
}
