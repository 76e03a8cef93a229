import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Ellipsis, GitCommitHorizontal, GitPullRequestArrow, PenLine, Save, Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { draftOf } from '../editor/drafts/draft.ts';
import { OtherDrafts } from '../editor/drafts/OtherDrafts.tsx';
import type { StoredDraft } from '../editor/drafts/stored-drafts.ts';
import { EditorPane } from '../editor/EditorPane.tsx';
import { DeployDialog } from '../editor/labels/DeployDialog.tsx';
import { actionsClass, barClass, editorPaneClass, tallPageClass } from '../editor/layout.ts';
import { ChecksPane, NewCaseDialog } from '../editor/lazy-views.tsx';
import { valuesOf } from '../editor/preview/preview-values.ts';
import { usePreview } from '../editor/preview/use-preview.ts';
import { cx } from '../lib/cx.ts';
import type { Candidate, Prompt, SavedVersion } from '../lib/types.ts';
import { useShortcut } from '../lib/use-shortcut.ts';
import { mayEdit, useWorkspace } from '../lib/workspace.ts';
import { useRunPlace, useRunSession } from '../runs/use-run-session.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { FormError } from '../ui/Field.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/Menu.tsx';
import { TabList, useTabs } from '../ui/Tabs.tsx';
import { toast, toastFailure } from '../ui/toasts.ts';
import { ApplyDialog } from './ApplyDialog.tsx';
import { createCandidate, describeCandidateError } from './actions.ts';
import { asVersion } from './as-version.ts';
import { CandidateComparison } from './CandidateComparison.tsx';
import { CandidateHeading } from './CandidateHeading.tsx';
import { CandidateNotices } from './CandidateNotices.tsx';
import { DeleteDialog } from './DeleteDialog.tsx';
import { DetailsDialog } from './DetailsDialog.tsx';
import { MergeRevisionDialog, MergeVersionDialog } from './MergeDialogs.tsx';
import { ProposeDialog } from './ProposeDialog.tsx';
import { useCandidateWork } from './use-candidate-work.ts';

interface CandidateWorkbenchProps {
  prompt: Prompt;
  candidate: Candidate;
  /** Whether the candidate was deleted or a version was made from it. */
  isGone: boolean;
  storageKey: string;
  stored: StoredDraft | undefined;
}

type OpenDialog = 'apply' | 'propose' | 'details' | 'delete' | 'case' | 'merge-revision' | 'merge-version' | { deploy: number };

const views = [
  { view: 'editor', label: 'Editor' },
  { view: 'compare', label: 'Compare' },
  { view: 'checks', label: 'Checks' },
] as const;

/** The page of one candidate, with its editor, its comparison with versions, and its checks. */
export function CandidateWorkbench({ prompt, candidate, isGone, storageKey, stored }: CandidateWorkbenchProps) {
  const search = useSearch({ from: '/dashboard/prompts/$' });
  const { view } = views.find((each) => each.view === search.view) ?? views[0];
  const { tab, panel } = useTabs(view);
  const navigate = useNavigate();
  const { work, busy, error, baseVersion, isUnsaved, save, ...merges } = useCandidateWork(candidate, storageKey, stored);
  const { base, draft, isDirty } = work;
  const preview = usePreview(candidate.type, draft, base.variables, prompt);
  const place = useRunPlace(useRunSession());
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = () => setDialog(undefined);
  const canEdit = mayEdit(useWorkspace());
  const isBehind = work.lostBase !== undefined || candidate.revision > base.version;
  const canSave = canEdit && !isGone && isUnsaved && !busy;

  const saveNow = async () => {
    if (isBehind && isDirty) setDialog('merge-revision');
    else if ((await save()) === 'conflict') setDialog('merge-revision');
  };
  useShortcut({ key: 's', withControl: true }, () => canSave && dialog === undefined && void saveNow());
  useShortcut({ key: 'enter', withControl: true, inDialogs: false }, () => place.run(), canEdit && view === 'editor');

  const leave = () => navigate({ to: '/dashboard/prompts/$', params: { _splat: prompt.name }, search: {} });
  const finishApply = ({ version }: SavedVersion, deploys: boolean) => {
    toast(`Version ${version} made from “${candidate.title}”.`);
    if (deploys) setDialog({ deploy: version });
    else void leave();
  };
  const restore = async () => {
    try {
      const { title, message } = candidate;
      const { id } = await createCandidate(prompt, draft, { title, message, baseVersion });
      work.restart(base);
      await navigate({ to: '/dashboard/prompts/$', params: { _splat: prompt.name }, search: { candidate: id } });
    } catch (err) {
      toastFailure(describeCandidateError(err));
    }
  };
  /** Continues with the draft after the user has changed something else about the candidate. */
  const keepDraft = (saved: Candidate) => {
    if (!isBehind) work.restart(asVersion(saved), draft);
  };
  const finished = isUnsaved ? 'Save the candidate first' : undefined;

  return (
    <div className={cx('mx-auto w-full max-w-7xl px-4 py-6 sm:px-8', view === 'editor' && tallPageClass)}>
      <CandidateHeading candidate={candidate} isDirty={isUnsaved} />
      <div className={barClass}>
        <TabList label="Views" className="max-sm:mb-3 sm:border-0">
          {views.map(({ view: value, label }) => (
            <Link
              key={value}
              to="/dashboard/prompts/$"
              params={{ _splat: prompt.name }}
              search={{ candidate: candidate.id, ...(value !== 'editor' && { view: value }) }}
              {...tab(value)}
            >
              {label}
            </Link>
          ))}
        </TabList>
        {canEdit ? (
          <div className={actionsClass}>
            {isDirty && (
              <Button kind="ghost" onClick={() => merges.discard()}>
                <Undo2 aria-hidden className="size-4" />
                <span className="max-sm:sr-only">Discard</span>
              </Button>
            )}
            {!isGone && (
              <>
                <Button disabled={isUnsaved} title={finished} onClick={() => setDialog('propose')}>
                  <GitPullRequestArrow aria-hidden className="size-4" />
                  Propose
                </Button>
                <Button disabled={isUnsaved} title={finished} onClick={() => setDialog('apply')}>
                  <GitCommitHorizontal aria-hidden className="size-4" />
                  <span className="max-sm:sr-only">Make version</span>
                </Button>
                <Button kind="primary" busy={busy} disabled={!canSave} onClick={saveNow} title="Save the candidate (Ctrl+S)">
                  <Save aria-hidden className="size-4" />
                  <span>
                    Save<span className="max-sm:sr-only"> candidate</span>
                  </span>
                </Button>
                <Menu
                  trigger={
                    <IconButton label="More actions">
                      <Ellipsis aria-hidden className="size-4" />
                    </IconButton>
                  }
                >
                  <MenuItem icon={PenLine} onSelect={() => setDialog('details')}>
                    Name and message
                  </MenuItem>
                  <MenuSeparator />
                  <MenuItem icon={Trash2} danger onSelect={() => setDialog('delete')}>
                    Delete
                  </MenuItem>
                </Menu>
              </>
            )}
          </div>
        ) : (
          <p className="max-w-xs text-ink-3 text-xs">Your role is viewer. You can preview changes but not save them.</p>
        )}
      </div>
      <div {...panel} className="flex flex-1 flex-col outline-none">
        {error !== undefined && (
          <div className="mb-4 shrink-0">
            <FormError>{error}</FormError>
          </div>
        )}
        <CandidateNotices
          prompt={prompt}
          candidate={candidate}
          work={work}
          isGone={isGone}
          canEdit={canEdit}
          baseVersion={baseVersion}
          onMergeRevision={() => setDialog('merge-revision')}
          onMergeVersion={() => setDialog('merge-version')}
          onRestore={restore}
        />
        <OtherDrafts
          ownKey={storageKey}
          type={candidate.type}
          noun="revision"
          here={{ title: isDirty ? 'This tab, unsaved' : `Revision ${base.version}`, draft }}
          onContinue={merges.continueDraft}
        />
        {view === 'compare' && <CandidateComparison prompt={prompt} candidate={candidate} draft={draft} />}
        {view === 'checks' && <ChecksPane prompt={prompt} candidate={candidate} values={valuesOf(preview.entries).values} />}
        {view === 'editor' && (
          <div className={editorPaneClass}>
            <EditorPane
              type={candidate.type}
              draft={draft}
              setDraft={work.setDraft}
              preview={preview}
              run={{ ...place, promptName: prompt.name, candidate: isDirty || isGone ? undefined : candidate.id }}
              onSaveCase={canEdit && preview.variables.length > 0 ? () => setDialog('case') : undefined}
            />
          </div>
        )}
      </div>
      {dialog === 'case' && <NewCaseDialog promptName={prompt.name} values={valuesOf(preview.entries).values} onClose={close} />}
      {dialog === 'apply' && <ApplyDialog prompt={prompt} candidate={candidate} onClose={close} onApplied={finishApply} />}
      {dialog === 'propose' && <ProposeDialog prompt={prompt} candidate={candidate} onClose={close} />}
      {dialog === 'details' && <DetailsDialog candidate={candidate} onClose={close} onSaved={keepDraft} />}
      {dialog === 'delete' && (
        <DeleteDialog
          candidate={candidate}
          onClose={close}
          onDeleted={() => navigate({ to: '/dashboard/prompts/$', params: { _splat: prompt.name }, search: { view: 'candidates' } })}
        />
      )}
      {dialog === 'merge-revision' && (
        <MergeRevisionDialog
          candidate={candidate}
          work={work}
          isSaving={false}
          onClose={close}
          onDiscard={(theirs) => {
            merges.discard(theirs);
            close();
          }}
          onMerged={(theirs, content) => {
            merges.mergeRevision(theirs, content);
            close();
          }}
        />
      )}
      {dialog === 'merge-version' && (
        <MergeVersionDialog
          prompt={prompt}
          work={work}
          baseVersion={baseVersion}
          onClose={close}
          onDiscard={(theirs) => {
            merges.mergeVersion(theirs, draftOf(theirs));
            close();
          }}
          onMerged={(theirs, content) => {
            merges.mergeVersion(theirs, content);
            close();
          }}
        />
      )}
      {typeof dialog === 'object' && <DeployDialog prompt={prompt} version={dialog.deploy} onClose={leave} onDeployed={leave} />}
    </div>
  );
}
