import { useNavigate, useSearch } from '@tanstack/react-router';
import { FilePen, Rocket, Undo2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { productionLabel } from '../../../src/contract/label-names.ts';
import { maxDescriptionLength } from '../../../src/contract/limits.ts';
import { contentOf, findDraftProblem, parseConfig, textOf } from '../editor/drafts/draft.ts';
import { NotStoredNotice, RestoredNotice } from '../editor/drafts/Notices.tsx';
import { deleteDraft, restoreDraft } from '../editor/drafts/stored-drafts.ts';
import { EditorPane } from '../editor/EditorPane.tsx';
import { WarningList } from '../editor/labels/WarningList.tsx';
import { actionsClass, barClass, editorPaneClass, tallPageClass } from '../editor/layout.ts';
import { OtherDrafts } from '../editor/lazy-views.tsx';
import { moveToSaved, newPromptId } from '../editor/preview/preview-storage.ts';
import { usePreview } from '../editor/preview/use-preview.ts';
import { describeSaveError } from '../editor/save-errors.ts';
import { call } from '../lib/api.ts';
import { cx } from '../lib/cx.ts';
import type { Message, Warning } from '../lib/types.ts';
import { useShortcut } from '../lib/use-shortcut.ts';
import { useTitle } from '../lib/use-title.ts';
import { warningsOf } from '../lib/warnings.ts';
import { mayEdit, mayMove, useWorkspace } from '../lib/workspace.ts';
import { useRunPlace, useRunSession } from '../runs/use-run-session.ts';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { ConfirmDialog } from '../ui/Dialog.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Field, FormError } from '../ui/Field.tsx';
import { Page } from '../ui/Page.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { toast, useOwnToast } from '../ui/toasts.ts';
import { promptFieldErrors } from './field-errors.ts';
import { refreshPrompts } from './queries.ts';
import { parseTags } from './tags.ts';
import { useNewPrompt } from './use-new-prompt.ts';

const types = [
  { value: 'text', label: 'Text' },
  { value: 'chat', label: 'Chat' },
] as const;

export function NewPromptPage() {
  const search = useSearch({ from: '/dashboard/new' });
  return <NewPrompt key={search.name} {...search} />;
}

/** Creates a prompt in the editor that all prompts use, and saves it with or without deploying it. */
function NewPrompt(given: { folder?: string; name?: string }) {
  useTitle('New prompt');
  const navigate = useNavigate();
  const work = useNewPrompt(given);
  const { details, draft } = work;
  const preview = usePreview(details.type, draft, [], { id: newPromptId() });
  const place = useRunPlace(useRunSession());
  const toastHere = useOwnToast();
  const nameField = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState<'draft' | 'deploy'>();
  const [error, setError] = useState<unknown>();
  const [warnings, setWarnings] = useState<Warning[]>([]);
  const fields = promptFieldErrors(error, details.name);
  const problem = findDraftProblem(draft);
  const isEmpty = textOf(details.type, { ...draft, messages: draft.messages.filter(hasContent) }).trim() === '';
  const change = (part: Partial<typeof details>) => work.setDetails((before) => ({ ...before, ...part }));
  const workspace = useWorkspace();
  const mayDeploy = mayMove(workspace, productionLabel);

  const save = async (how: 'draft' | 'deploy', { strict = true } = {}) => {
    if (problem !== undefined) return;
    setBusy(how);
    setError(undefined);
    try {
      const name = details.name.trim();
      const body = {
        name,
        type: details.type,
        description: details.description.trim(),
        tags: parseTags(details.tags),
        ...contentOf(details.type, draft),
        config: parseConfig(draft.config).config,
        labels: how === 'deploy' ? [productionLabel] : [],
      };
      const created = await call('createPrompt', { query: strict ? { strict: 'true' } : {}, body });
      deleteDraft(work.key);
      moveToSaved(work.userId, created.id);
      void refreshPrompts();
      toast(how === 'deploy' ? `${name} saved and deployed to production.` : `${name} saved. It is not deployed yet.`);
      for (const { message } of created.warnings) toast(`Note: ${message}`);
      await navigate({ to: '/dashboard/prompts/$', params: { _splat: created.name } });
    } catch (err) {
      const found = warningsOf(err);
      setBusy(undefined);
      if (found) return setWarnings(found);
      setError(err);
      if (promptFieldErrors(err, details.name).name) nameField.current?.focus();
    }
  };
  const canEdit = mayEdit(workspace);
  useShortcut({ key: 's', withControl: true }, () => canEdit && busy === undefined && void save('draft'));
  useShortcut({ key: 'enter', withControl: true, inDialogs: false }, () => canEdit && place.run());

  const discard = () => {
    const { entries, setEntries } = preview;
    const restore = work.discard();
    setEntries({});
    const undo = () => {
      restore();
      setEntries(entries);
    };
    toastHere('New prompt discarded.', { undo });
  };

  if (!canEdit) {
    return (
      <Page title="New prompt">
        <Card>
          <EmptyState icon={FilePen} title="Only editors can write prompts">
            Your role is {workspace.role}. Ask an admin of this workspace for the editor role.
          </EmptyState>
        </Card>
      </Page>
    );
  }
  return (
    <div className={cx('mx-auto w-full max-w-7xl px-4 py-6 sm:px-8', tallPageClass)}>
      <h1 className="mb-4 shrink-0 font-semibold text-xl tracking-tight">New prompt</h1>
      <div className="mb-3 grid shrink-0 gap-4 md:grid-cols-[minmax(0,2fr)_minmax(0,2fr)_minmax(0,1fr)]">
        <Field
          ref={nameField}
          label="Name"
          required
          autoFocus={given.name === undefined}
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          placeholder="support/triage"
          value={details.name}
          onChange={(event) => change({ name: event.target.value })}
          error={fields.name}
          hint="Applications fetch the prompt by this name. Slashes separate folders."
        />
        <Field
          label="Description"
          dir="auto"
          maxLength={maxDescriptionLength}
          value={details.description}
          onChange={(event) => change({ description: event.target.value })}
          error={fields.description}
          hint="Optional. What the prompt is for."
        />
        <Field
          label="Tags"
          value={details.tags}
          onChange={(event) => change({ tags: event.target.value })}
          error={fields.tags}
          hint="Optional. Separated by commas."
        />
      </div>
      <div className={barClass}>
        <div className="max-sm:mb-2 sm:py-1.5">
          <Segmented label="Type" value={details.type} options={types} onChange={(type) => change({ type })} />
        </div>
        <div className={actionsClass}>
          {work.isDirty && (
            <Button kind="ghost" onClick={discard}>
              <Undo2 aria-hidden className="size-4" />
              <span className="max-sm:sr-only">Discard</span>
            </Button>
          )}
          <Button
            busy={busy === 'draft'}
            disabled={busy !== undefined || problem !== undefined}
            onClick={() => save('draft')}
            title="Save without deploying (Ctrl+S)"
          >
            <FilePen aria-hidden className="size-4" /> Save{' '}
          </Button>
          <Button
            kind="primary"
            busy={busy === 'deploy'}
            disabled={busy !== undefined || problem !== undefined || isEmpty || !mayDeploy}
            onClick={() => save('deploy')}
            title={deployTitle({ isEmpty, mayDeploy })}
          >
            <Rocket aria-hidden className="size-4" />
            Save and deploy
          </Button>
        </div>
      </div>
      {work.restoredAt !== undefined && work.isDirty && <RestoredNotice at={work.restoredAt} onDismiss={work.dismissRestored} />}
      {!work.isStored && <NotStoredNotice />}
      <OtherDrafts
        ownKey={work.key}
        type={details.type}
        here={{ title: 'This tab', draft, details }}
        closedOnly
        onContinue={async (other) => work.replace({ details: other.details ?? details, draft: restoreDraft(other.draft, draft) })}
      />
      {error !== undefined && !isAtField(fields) && (
        <div className="mb-4 shrink-0">
          <FormError>{describeSaveError(error)}</FormError>
        </div>
      )}
      {warnings.length > 0 && (
        <ConfirmDialog
          open
          onOpenChange={() => setWarnings([])}
          title="Deploy anyway?"
          confirm="Save and deploy anyway"
          busy={busy !== undefined}
          onConfirm={() => save('deploy', { strict: false })}
        >
          <WarningList warnings={warnings} />
        </ConfirmDialog>
      )}
      <div className={editorPaneClass}>
        <EditorPane type={details.type} draft={draft} setDraft={work.setDraft} preview={preview} run={place} />
      </div>
    </div>
  );
}

function deployTitle({ isEmpty, mayDeploy }: { isEmpty: boolean; mayDeploy: boolean }): string {
  if (!mayDeploy) return 'The label production is protected. Ask a deployer to deploy.';
  return isEmpty ? 'Write the prompt first' : 'Save and deploy to production';
}

function hasContent(message: Message): boolean {
  return 'placeholder' in message || message.content !== '';
}

function isAtField({ name, description, tags }: Record<string, string>): boolean {
  return [name, description, tags].some(Boolean);
}
