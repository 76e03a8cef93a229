import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Rocket, Save, Undo2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { ApiError } from '../../../client/src/errors.ts';
import { cx } from '../lib/cx.ts';
import { queryClient } from '../lib/query-client.ts';
import type { Candidate, Prompt, SavedVersion, Version } from '../lib/types.ts';
import { useShortcut } from '../lib/use-shortcut.ts';
import { mayEdit, useWorkspace } from '../lib/workspace.ts';
import { undoMoves } from '../prompts/actions.ts';
import { promptQuery, refreshPrompts, versionQuery } from '../prompts/queries.ts';
import { useRunPlace, useRunSession } from '../runs/use-run-session.ts';
import { Button } from '../ui/Button.tsx';
import { useTabs } from '../ui/Tabs.tsx';
import { toast, useOwnToast } from '../ui/toasts.ts';
import { type Draft, draftOf, isSameDraft, syntaxOf } from './drafts/draft.ts';
import { giveDefault } from './drafts/give-default.ts';
import { Notices } from './drafts/Notices.tsx';
import { type OtherDraft, restoreDraft, type StoredDraft } from './drafts/stored-drafts.ts';
import { useDraft } from './drafts/use-draft.ts';
import { EditorPane } from './EditorPane.tsx';
import { actionsClass, barClass, editorPaneClass, tallPageClass } from './layout.ts';
import {
  CandidatesPane,
  ChecksPane,
  CodePane,
  DeleteVersionDialog,
  DependenciesPane,
  DeployDialog,
  HistoryPane,
  MergeDialog,
  NewCaseDialog,
  OtherDrafts,
  PromptResults,
  PromptStats,
  ReleasesPane,
  RunComparison,
  RunsPane,
  SaveDialog,
} from './lazy-views.tsx';
import { PromptHeader } from './PromptHeader.tsx';
import { valuesOf } from './preview/preview-values.ts';
import { usePreview } from './preview/use-preview.ts';
import type { SaveForm } from './SaveDialog.tsx';
import { usePromptCommands } from './use-prompt-commands.ts';
import { ViewTabs } from './ViewTabs.tsx';

interface WorkbenchProps {
  prompt: Prompt;
  storageKey: string;
  loaded: Version;
  stored: StoredDraft | undefined;
}

/** The dialog that is open. `labels` are deployed one at a time, each in a separate dialog. */
type OpenDialog =
  | 'save'
  | 'merge'
  | 'merge-and-save'
  | 'case'
  | { deploy: number; labels?: string[]; isRelease?: true }
  | { delete: number };

/** The page of one prompt, with its editor and all other views. */
export function Workbench({ prompt, storageKey, loaded, stored }: WorkbenchProps) {
  const { view = 'editor' } = useSearch({ from: '/dashboard/prompts/$' });
  // The view that compares runs belongs to the tab "Runs".
  const { tab, panel } = useTabs(view === 'compare' ? 'runs' : view);
  const navigate = useNavigate();
  const work = useDraft(storageKey, loaded, stored);
  const preview = usePreview(prompt.type, work.draft, work.base.variables, prompt);
  const place = useRunPlace(useRunSession());
  const { values } = valuesOf(preview.entries);
  const [dialog, setDialog] = useState<OpenDialog>();
  const toastHere = useOwnToast();
  const [saveForm, setSaveForm] = useState<SaveForm>();
  const close = () => setDialog(undefined);
  const openSave = () => {
    setSaveForm(undefined);
    setDialog(prompt.latestVersion > work.base.version || work.lostBase !== undefined ? 'merge-and-save' : 'save');
  };
  const canEdit = mayEdit(useWorkspace());
  useShortcut({ key: 's', withControl: true }, () => canEdit && work.isDirty && dialog === undefined && openSave());

  const runInEditor = () => {
    place.run();
    void navigate({ to: '/dashboard/prompts/$', params: { _splat: prompt.name }, search: {} });
  };
  useShortcut({ key: 'enter', withControl: true, inDialogs: false }, () => canEdit && place.run(), view === 'editor');

  usePromptCommands({
    prompt,
    run: canEdit ? runInEditor : undefined,
    save: canEdit && work.isDirty ? openSave : undefined,
    deploy: canEdit ? () => setDialog({ deploy: prompt.latestVersion }) : undefined,
  });

  const isBaseDeleted = prompt.deletedVersions?.includes(work.base.version) ?? false;
  const newest = useQuery({
    ...versionQuery(prompt.name, prompt.latestVersion),
    enabled: prompt.latestVersion > work.base.version || isBaseDeleted,
  });
  const { base, draft, isDirty, restart } = work;
  useEffect(() => {
    // Someone else has saved, and this editor has no unsaved changes, so it continues from the newest version.
    if (newest.data && newest.data.version > base.version && !isDirty) restart(newest.data);
    // The version on which the draft is based was deleted, and the newest remaining version is older. The draft is kept, and is now based
    // on the newest remaining version.
    if (newest.data && isBaseDeleted && newest.data.version < base.version) restart(newest.data, isDirty ? draft : undefined);
  }, [newest.data, base.version, isDirty, isBaseDeleted, draft, restart]);

  const deployTo = (version: number, labels: string[]) => setDialog(labels.length === 0 ? undefined : { deploy: version, labels });

  const finishSave = (saved: SavedVersion, later: string[]) => {
    const previous = saved.labels.map((label) => ({ label, previous: prompt.labels[label] }));
    // The cache is updated before the refetch, so that Deploy offers the new version right away.
    const moved = Object.fromEntries(saved.labels.map((label) => [label, saved.version]));
    queryClient.setQueryData(
      promptQuery(prompt.name).queryKey,
      (current) => current && { ...current, latestVersion: saved.version, labels: { ...current.labels, ...moved } },
    );
    void refreshPrompts();
    restart(saved);
    // Labels that require checks or a proposal move in a second step.
    deployTo(saved.version, later);
    if (saved.labels.length === 0) toast(`Version ${saved.version} saved.`);
    else {
      const text = `Version ${saved.version} saved and deployed to ${saved.labels.join(', ')}.`;
      toast(text, { undo: () => void undoMoves(prompt.name, previous) });
    }
    for (const { message } of saved.warnings) toast(`Note: ${message}`);
  };

  /** Continues with a candidate that was made from the draft. */
  const openCandidate = ({ id, title }: Candidate) => {
    restart(base);
    toast(`Candidate “${title}” saved.`);
    void navigate({ to: '/dashboard/prompts/$', params: { _splat: prompt.name }, search: { candidate: id } });
  };

  const discard = (version: Version) => {
    restart(version);
    toastHere('Changes discarded.', { undo: () => restart(base, draft) });
  };

  const finishMerge = (theirs: Version, merged: Draft) => {
    restart(theirs, merged);
    toastHere(`Merged with version ${theirs.version}.`, { undo: () => restart(base, draft) });
    if (dialog === 'merge-and-save' && !isSameDraft(merged, draftOf(theirs))) setDialog('save');
    else close();
  };

  /** Copies an old version into the editor, to save it as a new one. */
  const reuse = (version: Version) => {
    work.setDraft(draftOf(version));
    toastHere(`Opened v${version.version} in the editor.`, { undo: () => work.setDraft(draft) });
    void navigate({ to: '/dashboard/prompts/$', params: { _splat: prompt.name }, search: {} });
  };

  const openWithDefault = async (number: number, variable: string, text: string) => {
    const version = await queryClient.ensureQueryData(versionQuery(prompt.name, number));
    const changed = giveDefault(draftOf(version), variable, text);
    close();
    if (!changed) return;
    work.setDraft(changed);
    toastHere(`v${number} is in the editor, with a default for ${variable}. To deploy it, save a new version.`, {
      undo: () => work.setDraft(draft),
    });
    void navigate({ to: '/dashboard/prompts/$', params: { _splat: prompt.name }, search: {} });
  };

  const continueDraft = async (other: OtherDraft) => {
    const version = await queryClient.ensureQueryData(versionQuery(prompt.name, other.base)).catch((err: unknown) => {
      // The version that the draft is based on has been deleted in the meantime.
      if (err instanceof ApiError && err.status === 404) return base;
      throw err;
    });
    restart(version, restoreDraft(other.draft, draftOf(version)));
    return () => restart(base, draft);
  };

  return (
    <div className={cx('mx-auto w-full max-w-7xl px-4 py-6 sm:px-8', view === 'editor' && tallPageClass)}>
      <PromptHeader prompt={prompt} syntax={syntaxOf(draft)} isDirty={isDirty} />
      <div className={barClass}>
        <ViewTabs promptName={prompt.name} tab={tab} />
        <div className={actionsClass}>
          {isDirty && (
            <Button kind="ghost" onClick={() => discard(base)}>
              <Undo2 aria-hidden className="size-4" />
              <span className="max-sm:sr-only">Discard</span>
            </Button>
          )}
          {canEdit ? (
            <>
              <Button onClick={() => setDialog({ deploy: prompt.latestVersion })}>
                <Rocket aria-hidden className="size-4" />
                Deploy
              </Button>
              <Button kind="primary" disabled={!isDirty} onClick={openSave} title="Save as a new version (Ctrl+S)">
                <Save aria-hidden className="size-4" />
                Save version
              </Button>
            </>
          ) : (
            <p className="max-w-xs text-ink-3 text-xs">Your role is viewer. You can preview changes but not save them.</p>
          )}
        </div>
      </div>
      <div {...panel} className="flex flex-1 flex-col outline-none">
        <Notices prompt={prompt} work={work} onReview={() => setDialog('merge')} />
        <OtherDrafts
          ownKey={storageKey}
          type={prompt.type}
          here={{ title: isDirty ? 'This tab, unsaved' : `Version ${base.version}`, draft }}
          onContinue={continueDraft}
        />
        {view === 'editor' && (
          <div className={editorPaneClass}>
            <EditorPane
              type={prompt.type}
              draft={draft}
              setDraft={work.setDraft}
              preview={preview}
              run={{ ...place, promptName: prompt.name, version: isDirty ? undefined : base.version }}
              onSaveCase={canEdit && preview.variables.length > 0 ? () => setDialog('case') : undefined}
            />
          </div>
        )}
        {view === 'runs' && <RunsPane prompt={prompt} editor={{ work, preview, place, toast: toastHere }} />}
        {view === 'compare' && <RunComparison prompt={prompt} work={work} preview={preview} session={place.session} />}
        {view === 'history' && (
          <HistoryPane
            prompt={prompt}
            onReuse={reuse}
            onDeploy={(version) => setDialog({ deploy: version })}
            onDelete={(version) => setDialog({ delete: version })}
          />
        )}
        {view === 'candidates' && <CandidatesPane prompt={prompt} />}
        {view === 'releases' && (
          <ReleasesPane prompt={prompt} onStart={() => setDialog({ deploy: prompt.latestVersion, isRelease: true })} />
        )}
        {view === 'checks' && <ChecksPane prompt={prompt} values={values} />}
        {view === 'dependencies' && <DependenciesPane prompt={prompt} draft={draft} />}
        {view === 'code' && <CodePane prompt={prompt} />}
        {view === 'results' && <PromptResults prompt={prompt} />}
        {view === 'stats' && <PromptStats prompt={prompt} />}
      </div>
      {dialog === 'case' && <NewCaseDialog promptName={prompt.name} values={values} onClose={close} />}
      {dialog === 'save' && (
        <SaveDialog
          prompt={prompt}
          work={work}
          form={saveForm}
          onClose={close}
          onSaved={finishSave}
          onCandidate={openCandidate}
          onConflict={(form) => {
            setSaveForm(form);
            setDialog('merge-and-save');
          }}
        />
      )}
      {(dialog === 'merge' || dialog === 'merge-and-save') && (
        <MergeDialog
          prompt={prompt}
          work={work}
          isSaving={dialog === 'merge-and-save'}
          onClose={close}
          onDiscard={(theirs) => {
            discard(theirs);
            close();
          }}
          onMerged={finishMerge}
        />
      )}
      {typeof dialog === 'object' && 'deploy' in dialog && (
        <DeployDialog
          key={dialog.labels?.[0]}
          prompt={prompt}
          version={dialog.deploy}
          labels={dialog.labels}
          isRelease={dialog.isRelease}
          onClose={close}
          onDeployed={() => deployTo(dialog.deploy, dialog.labels?.slice(1) ?? [])}
          onDefault={openWithDefault}
        />
      )}
      {typeof dialog === 'object' && 'delete' in dialog && <DeleteVersionDialog prompt={prompt} version={dialog.delete} onClose={close} />}
    </div>
  );
}
