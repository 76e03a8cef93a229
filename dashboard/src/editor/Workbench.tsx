import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Tabs } from 'radix-ui';
import { useEffect, useState } from 'react';
import { productionLabel } from '../../../src/contract/label-names.ts';
import { queryClient } from '../lib/query-client.ts';
import type { Prompt, SavedVersion, Version } from '../lib/types.ts';
import { useShortcut } from '../lib/use-shortcut.ts';
import { mayEdit, useWorkspace } from '../lib/workspace.ts';
import { promptQuery, refreshPrompts, versionQuery } from '../prompts/queries.ts';
import { tabClass, tabListClass } from '../ui/tabs.ts';
import { toast } from '../ui/toasts.ts';
import { ConflictDialog } from './ConflictDialog.tsx';
import { DeployDialog } from './DeployDialog.tsx';
import { draftOf } from './draft.ts';
import { EditorPane } from './EditorPane.tsx';
import { HistoryPane } from './HistoryPane.tsx';
import { Notices } from './Notices.tsx';
import { PromptHeader } from './PromptHeader.tsx';
import { SaveDialog } from './SaveDialog.tsx';
import { UsePane } from './UsePane.tsx';
import { type StoredDraft, useDraft } from './use-draft.ts';
import { usePreview } from './use-preview.ts';

interface WorkbenchProps {
  prompt: Prompt;
  storageKey: string;
  loaded: Version;
  stored: StoredDraft | undefined;
}

type OpenDialog = 'save' | 'conflict' | { deploy: number };

const views = [
  { view: 'editor', label: 'Editor' },
  { view: 'history', label: 'History' },
  { view: 'use', label: 'Use it' },
] as const;

/** The page of one prompt: editor, history, and how to use it. */
export function Workbench({ prompt, storageKey, loaded, stored }: WorkbenchProps) {
  const { view = 'editor' } = useSearch({ from: '/dashboard/prompts/$' });
  const navigate = useNavigate();
  const work = useDraft(storageKey, loaded, stored);
  const preview = usePreview(prompt.type, work.draft, loaded.variables);
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = () => setDialog(undefined);
  const canEdit = mayEdit(useWorkspace());
  useShortcut({ key: 's', withControl: true }, () => canEdit && work.isDirty && dialog === undefined && setDialog('save'));

  const newest = useQuery({ ...versionQuery(prompt.name, prompt.latestVersion), enabled: prompt.latestVersion > work.base.version });
  const { isDirty, restart } = work;
  useEffect(() => {
    // Someone else saved and there are no unsaved changes here: continue from their version.
    if (newest.data && newest.data.version > work.base.version && !isDirty) restart(newest.data);
  }, [newest.data, work.base.version, isDirty, restart]);

  const finishSave = (saved: SavedVersion) => {
    // Updated before the refetch, so that Deploy offers the new version right away.
    const moved = Object.fromEntries(saved.labels.map((label) => [label, saved.version]));
    queryClient.setQueryData(
      promptQuery(prompt.name).queryKey,
      (current) => current && { ...current, latestVersion: saved.version, labels: { ...current.labels, ...moved } },
    );
    void refreshPrompts();
    work.restart(saved);
    close();
    const isDeployed = saved.labels.includes(productionLabel);
    toast(isDeployed ? `Version ${saved.version} saved and deployed to production.` : `Version ${saved.version} saved.`);
    for (const { message } of saved.warnings) toast(`Note: ${message}`);
  };

  /** Copies an old version into the editor, to save it as a new one. */
  const reuse = (version: Version) => {
    const before = work.draft;
    work.setDraft(draftOf(version));
    toast(`Opened v${version.version} in the editor.`, { undo: () => work.setDraft(before) });
    void navigate({ to: '/dashboard/prompts/$', params: { _splat: prompt.name }, search: {} });
  };

  return (
    <div className="mx-auto w-full max-w-7xl px-4 py-6 sm:px-8">
      <PromptHeader
        prompt={prompt}
        isDirty={work.isDirty}
        onSave={() => setDialog('save')}
        onDeploy={() => setDialog({ deploy: prompt.latestVersion })}
      />
      <Tabs.Root value={view} activationMode="manual">
        <Tabs.List aria-label="Views" className={`mb-5 ${tabListClass}`}>
          {views.map(({ view: value, label }) => (
            <Tabs.Trigger key={value} value={value} asChild>
              <Link
                to="/dashboard/prompts/$"
                params={{ _splat: prompt.name }}
                search={value === 'editor' ? {} : { view: value }}
                className={tabClass}
              >
                {label}
              </Link>
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Tabs.Content value={view} tabIndex={-1}>
          <Notices prompt={prompt} work={work} onReview={() => setDialog('conflict')} />
          {view === 'editor' && <EditorPane prompt={prompt} work={work} preview={preview} />}
          {view === 'history' && <HistoryPane prompt={prompt} onReuse={reuse} onDeploy={(version) => setDialog({ deploy: version })} />}
          {view === 'use' && <UsePane prompt={prompt} />}
        </Tabs.Content>
      </Tabs.Root>
      {dialog === 'save' && (
        <SaveDialog prompt={prompt} work={work} onClose={close} onSaved={finishSave} onConflict={() => setDialog('conflict')} />
      )}
      {dialog === 'conflict' && <ConflictDialog prompt={prompt} work={work} onClose={close} onContinue={() => setDialog('save')} />}
      {typeof dialog === 'object' && <DeployDialog prompt={prompt} version={dialog.deploy} onClose={close} />}
    </div>
  );
}
