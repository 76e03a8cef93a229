import { GitPullRequestArrow, ListChecks } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { ApiError } from '../../../client/src/errors.ts';
import { maxVersionMessageLength } from '../../../src/contract/limits.ts';
import { NewCandidateForm } from '../candidates/NewCandidateForm.tsx';
import { useGatedLabels } from '../checks/use-gate.ts';
import { call } from '../lib/api.ts';
import type { Candidate, Prompt, SavedVersion, Warning } from '../lib/types.ts';
import { warningsOf } from '../lib/warnings.ts';
import { findProposalRule, mayMove, useWorkspace } from '../lib/workspace.ts';
import { IncludedAt } from '../prompts/Affected.tsx';
import { refreshPrompts } from '../prompts/queries.ts';
import { isReleaseRefusal, ReleaseLink } from '../releases/refusal.tsx';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field, FormError } from '../ui/Field.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { contentOf, findDraftProblem, parseConfig } from './drafts/draft.ts';
import { giveDefault } from './drafts/give-default.ts';
import type { Work } from './drafts/use-draft.ts';
import { LabelChanges } from './labels/LabelChanges.tsx';
import { LabelChoice } from './labels/LabelChoice.tsx';
import { findLabelProblem } from './labels/labels.ts';
import { WarningList } from './labels/WarningList.tsx';
import { describeSaveError } from './save-errors.ts';
import { nextVersionOf } from './versions/version-numbers.ts';

export interface SaveForm {
  message: string;
  labels: string[];
}

interface SaveDialogProps {
  prompt: Prompt;
  work: Work;
  /** What the user had entered when it turned out that someone else had saved first. */
  form: SaveForm | undefined;
  onClose: () => void;
  /** Called with the labels that the version gets in a second step, because they require checks or a proposal. */
  onSaved: (version: SavedVersion, later: string[]) => void;
  /** Called if the user has saved a candidate instead of a version. */
  onCandidate: (candidate: Candidate) => void;
  /** Called if someone else has saved first. */
  onConflict: (form: SaveForm) => void;
}

const kinds = [
  { value: 'version', label: 'Version' },
  { value: 'candidate', label: 'Candidate' },
] as const;

/** Shows what changes, then saves a version and moves the selected labels to it, or saves a candidate. */
export function SaveDialog({ prompt, work, form, onClose, onSaved, onCandidate, onConflict }: SaveDialogProps) {
  const [kind, setKind] = useState<'version' | 'candidate'>('version');
  const formId = useId();
  const [message, setMessage] = useState(form?.message ?? '');
  const [labels, setLabels] = useState(form?.labels ?? []);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [warnings, setWarnings] = useState<Warning[]>([]);
  const problem = findDraftProblem(work.draft);
  const version = nextVersionOf(prompt);
  const workspace = useWorkspace();
  const gated = useGatedLabels(prompt.name, labels);
  const locked = labels.filter((label) => !mayMove(workspace, label));
  const proposed = labels.filter((label) => findProposalRule(workspace, label) !== undefined || locked.includes(label));
  // These labels move in a second step, for which the page opens the dialog for deploying.
  const later = labels.filter((label) => gated.includes(label) || proposed.includes(label));
  const isPossible = problem === undefined && labels.every((label) => findLabelProblem(label) === undefined);

  const choose = (chosen: string[]) => {
    setLabels(chosen);
    setWarnings([]);
  };
  const addDefault = (variable: string, text: string) => {
    work.setDraft(giveDefault(work.draft, variable, text) ?? work.draft);
    setWarnings([]);
  };

  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (!isPossible) return;
    setBusy(true);
    setError(undefined);
    try {
      const body = {
        ...contentOf(prompt.type, work.draft),
        config: parseConfig(work.draft.config).config,
        message: message.trim(),
        baseVersion: work.base.version,
        labels: labels.filter((label) => !later.includes(label)),
      };
      const query = warnings.length === 0 ? ({ strict: 'true' } as const) : {};
      onSaved(await call('createVersion', { path: { name: prompt.name }, query, body }), later);
    } catch (err) {
      setBusy(false);
      const found = warningsOf(err);
      if (found) return setWarnings(found);
      if (!(err instanceof ApiError && err.code === 'version_conflict')) {
        setError(err);
        return;
      }
      await refreshPrompts();
      onConflict({ message, labels });
    }
  };

  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title={kind === 'version' ? `Save version ${version}` : 'Save a candidate'}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} kind="primary" busy={busy} disabled={kind === 'version' && !isPossible}>
            {kind === 'candidate' ? 'Save candidate' : nameAction()}
          </Button>
        </>
      }
    >
      <div className="mb-4">
        <Segmented label="Save as" value={kind} options={kinds} onChange={setKind} />
      </div>
      {kind === 'candidate' ? (
        <NewCandidateForm
          id={formId}
          prompt={prompt}
          work={work}
          message={message}
          onMessage={setMessage}
          onBusy={setBusy}
          onSaved={onCandidate}
        />
      ) : (
        renderVersionForm()
      )}
    </Dialog>
  );

  function nameAction(): string {
    const anyway = warnings.length > 0 ? ' anyway' : '';
    if (labels.length === 0) return `Save version${anyway}`;
    if (proposed.length > 0) return `Save, then propose${anyway}`;
    return `${gated.length > 0 ? 'Save, then check and deploy' : 'Save and deploy'}${anyway}`;
  }

  function describeLocked(): string {
    const ruled = proposed.filter((label) => !locked.includes(label));
    const sentences = [
      ...(locked.length > 0 ? [`Only deployers and admins can move ${locked.join(' and ')}.`] : []),
      ...(ruled.length > 0 ? [`Moving ${ruled.join(' and ')} requires a proposal.`] : []),
    ];
    return sentences.join(' ');
  }

  function renderVersionForm() {
    return (
      <>
        <form id={formId} onSubmit={save} className="mb-5 space-y-4" noValidate>
          <FormError>{problem}</FormError>
          {error !== undefined && (
            <FormError>
              {describeSaveError(error)} {isReleaseRefusal(error) && <ReleaseLink name={prompt.name} onLeave={onClose} />}
            </FormError>
          )}
          <WarningList warnings={warnings} onDefault={addDefault} mayDefault={(name) => giveDefault(work.draft, name, '') !== undefined} />
          <Field
            label="What changed?"
            autoFocus
            maxLength={maxVersionMessageLength}
            value={message}
            onChange={(event) => setMessage(event.target.value)}
            hint="Optional. Shown in the history."
          />
          <LabelChoice prompt={prompt} version={version} chosen={labels} onChange={choose} />
          {gated.length > 0 && (
            <p role="status" className="flex items-start gap-2 text-warn">
              <ListChecks aria-hidden className="mt-0.5 size-4 shrink-0" />
              {`${gated.join(' and ')} ${gated.length === 1 ? 'requires' : 'require'} passing checks. Save the version first, then run the checks and deploy it.`}
            </p>
          )}
          {proposed.length > 0 && (
            <p role="status" className="flex items-start gap-2">
              <GitPullRequestArrow aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-3" />
              {`${describeLocked()} Save the version first, then propose the move.`}
            </p>
          )}
          {labels.length > 0 && <IncludedAt name={prompt.name} labels={labels} />}
        </form>
        <LabelChanges prompt={prompt} work={work} title={`Version ${version}`} labels={labels} />
      </>
    );
  }
}
