import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { productionLabel } from '../../../../src/contract/label-names.ts';
import { GateNotice } from '../../checks/GateNotice.tsx';
import { describeMoveError, isApprovalRefusal, isGateRefusal } from '../../checks/refusal.ts';
import { useGate } from '../../checks/use-gate.ts';
import type { Prompt, Proposal, Warning } from '../../lib/types.ts';
import { warningsOf } from '../../lib/warnings.ts';
import { mayMove, refreshWorkspace, useWorkspace } from '../../lib/workspace.ts';
import { IncludedAt } from '../../prompts/Affected.tsx';
import { moveLabel } from '../../prompts/actions.ts';
import { refreshPrompts, versionQuery } from '../../prompts/queries.ts';
import { openProposal } from '../../proposals/actions.ts';
import { ProposalOpened } from '../../proposals/ProposalOpened.tsx';
import { ProposeFields } from '../../proposals/ProposeFields.tsx';
import { toProposal } from '../../proposals/proposal-form.ts';
import { useProposing } from '../../proposals/use-proposing.ts';
import { startRelease } from '../../releases/actions.ts';
import { ReleaseFields } from '../../releases/ReleaseFields.tsx';
import { RunningNotice } from '../../releases/RunningNotice.tsx';
import { isReleaseRefusal } from '../../releases/refusal.tsx';
import { activeRelease } from '../../releases/release.ts';
import { findProblems, initialForm, type ReleaseForm, toRelease } from '../../releases/release-form.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { FormError } from '../../ui/Field.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { draftOf } from '../drafts/draft.ts';
import { giveDefault } from '../drafts/give-default.ts';
import { VersionComparison } from '../versions/VersionComparison.tsx';
import { DeployTarget } from './DeployTarget.tsx';
import { LabelRules } from './LabelRules.tsx';
import { chooseLabel, labelOf } from './LabelSelect.tsx';
import { findLabelProblem } from './labels.ts';
import { RemoveLabelDialog } from './RemoveLabelDialog.tsx';
import { usePointedAt } from './use-pointed-at.ts';
import { WarningList } from './WarningList.tsx';

interface DeployDialogProps {
  prompt: Prompt;
  version: number;
  /** The first label to deploy, and the labels to deploy after it. */
  labels?: string[] | undefined;
  /** Whether the dialog first offers a release, instead of a deployment to everyone. */
  isRelease?: boolean | undefined;
  onClose: () => void;
  onDeployed: () => void;
  /** Opens a version in the editor and adds a default for a variable. */
  onDefault?: ((version: number, variable: string, text: string) => void) | undefined;
}

const modes = [
  { value: 'everyone', label: 'To everyone' },
  { value: 'some', label: 'To some callers first' },
] as const;

/** Shows what changes for the applications that use a label, then moves it to a version. */
export function DeployDialog({
  prompt,
  version: first,
  labels = [],
  isRelease: startsRelease = false,
  onClose,
  onDeployed,
  onDefault,
}: DeployDialogProps) {
  const [firstLabel = productionLabel, ...next] = labels;
  const workspace = useWorkspace();
  const [target, setTarget] = useState(() => ({ version: first, ...chooseLabel(prompt, firstLabel) }));
  const [removing, setRemoving] = useState(false);
  const [busy, setBusy] = useState(false);
  const [override, setOverride] = useState<string>();
  const [error, setError] = useState<string>();
  const [opened, setOpened] = useState<Proposal>();
  const [found, setFound] = useState<{ at: string; warnings: Warning[] }>();
  const [mode, setMode] = useState<'everyone' | 'some'>(startsRelease ? 'some' : 'everyone');
  const [form, setForm] = useState<ReleaseForm>(initialForm);
  const navigate = useNavigate();
  const { version } = target;
  const label = labelOf(target);
  const current = prompt.labels[label];
  const isBack = current !== undefined && version < current;
  const isLabel = label !== '' && findLabelProblem(label) === undefined;
  const running = activeRelease(prompt, label);
  const isMovable = isLabel && current !== version && running === undefined;
  const wasThere = usePointedAt(prompt, { label, version });
  const proposing = useProposing({ label, version, isMovable, wasThere });
  const isPossible = isMovable && (mayMove(workspace, label) || proposing.isNeeded);
  // A release is possible only if the label already points at a version, because the callers that do not get the new version keep that one.
  const isRelease = mode === 'some' && isPossible && current !== undefined;
  const problems = isRelease ? findProblems(form) : {};
  const { data: shown } = useQuery(versionQuery(prompt.name, version));
  const gate = useGate(prompt, label, version, wasThere);
  const at = `${label} ${version}`;
  const warnings = found?.at === at ? found.warnings : [];
  const isOverridden = override !== undefined && (proposing.isNeeded ? proposing.canOverride : gate.state === 'closed');
  const isProposal = proposing.isNeeded && !isOverridden;
  const isOpen = isOverridden ? override.trim() !== '' : isProposal || (gate.state !== 'closed' && gate.state !== 'loading');

  const showReleases = () => navigate({ to: '/dashboard/prompts/$', params: { _splat: prompt.name }, search: { view: 'releases' } });
  const propose = async () => {
    const to = isRelease ? { release: toRelease(form, { control: current, version }) } : { version };
    setOpened(await openProposal(toProposal(proposing.form, [{ prompt: prompt.name, label, ...to }])));
  };
  const deploy = async () => {
    setBusy(true);
    setError(undefined);
    try {
      if (isProposal) return await propose();
      const strict = warnings.length === 0 && !wasThere;
      const reason = isOverridden ? override.trim() : undefined;
      const move = { name: prompt.name, label, strict };
      if (isRelease) {
        const override = reason === undefined ? undefined : { override: reason };
        await startRelease({ ...move, ...toRelease(form, { control: current, version }), ...override });
      } else await moveLabel({ ...move, version, previous: current, override: reason });
      onDeployed();
      if (isRelease && next.length === 0) await showReleases();
    } catch (err) {
      const refused = warningsOf(err);
      if (refused) setFound({ at, warnings: refused });
      else setError(describeMoveError(err, { label, version }));
      if (isApprovalRefusal(err)) proposing.refuse();
      setBusy(false);
      // Someone changed the test cases or the label's rules, or started a release, so the data is loaded again.
      if (isGateRefusal(err) || isReleaseRefusal(err) || isApprovalRefusal(err)) await Promise.all([refreshWorkspace(), refreshPrompts()]);
    }
  };

  if (opened) return <ProposalOpened proposal={opened} onClose={onDeployed} />;
  if (removing && current !== undefined) {
    const cancel = () => setRemoving(false);
    return <RemoveLabelDialog name={prompt.name} label={label} version={current} onCancel={cancel} onRemoved={onClose} />;
  }
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title="Deploy"
      description={
        explain(label, current, running !== undefined || isRelease || isProposal) + (next.length === 0 ? '' : ` Next: ${next.join(', ')}.`)
      }
      footer={
        <>
          {current !== undefined && running === undefined && mayMove(workspace, label) && (
            <Button kind="danger-quiet" className="mr-auto max-w-full" onClick={() => setRemoving(true)}>
              <span className="truncate">Remove {label}</span>
            </Button>
          )}
          <div className="flex gap-2">
            <Button onClick={onClose}>Cancel</Button>
            <Button kind="primary" busy={busy} disabled={!isPossible || !isOpen || Object.keys(problems).length > 0} onClick={deploy}>
              {nameAction({ isProposal, isOverridden, isRelease, isBack })} {`v${version}`}
              {warnings.length > 0 && ' anyway'}
            </Button>
          </div>
        </>
      }
    >
      <FormError>{error}</FormError>
      <WarningList
        warnings={warnings}
        onDefault={onDefault && ((variable, text) => onDefault(version, variable, text))}
        mayDefault={(name) => shown !== undefined && giveDefault(draftOf(shown), name, '') !== undefined}
      />
      <DeployTarget prompt={prompt} target={target} onChange={(change) => setTarget({ ...target, ...change })} />
      {isLabel && (
        <div className="mb-4 empty:hidden">
          <LabelRules label={label} onLeave={onClose} />
        </div>
      )}
      {running && <RunningNotice name={prompt.name} label={label} release={running} onLeave={onClose} />}
      {isPossible && current !== undefined && (
        <div className="mb-4">
          <Segmented label={`Who gets v${version}`} value={mode} options={modes} onChange={setMode} />
        </div>
      )}
      {isRelease && (
        <ReleaseFields
          prompt={prompt}
          label={label}
          control={current}
          version={version}
          form={form}
          problems={problems}
          onChange={setForm}
        />
      )}
      {proposing.isNeeded && (
        <ProposeFields
          label={label}
          rule={proposing.rule}
          form={proposing.form}
          onChange={proposing.setForm}
          override={proposing.canOverride ? override : undefined}
          onOverride={proposing.canOverride ? setOverride : undefined}
        />
      )}
      {isPossible && (
        <GateNotice
          gate={gate}
          prompt={prompt}
          version={version}
          label={label}
          override={override}
          onOverride={setOverride}
          onClose={onClose}
          hasNoOverride={proposing.isNeeded}
        />
      )}
      {/* Prompts that include this one always get the control, so a release does not affect them. */}
      {!isRelease && (
        <div className="mb-4 has-[:empty]:hidden">
          <IncludedAt name={prompt.name} labels={[label]} />
        </div>
      )}
      {current === version && (
        <p className="rounded-md bg-sunken px-3 py-6 text-center text-ink-3">{`${label} is already at v${version}.`}</p>
      )}
      {current === undefined && isPossible && (
        <p className="rounded-md bg-sunken px-3 py-6 text-center text-ink-3">{`No version has the label ${label} yet.`}</p>
      )}
      {current !== undefined && current !== version && <VersionComparison prompt={prompt} from={current} to={version} />}
    </Dialog>
  );
}

interface Action {
  isProposal: boolean;
  isOverridden: boolean;
  isRelease: boolean;
  isBack: boolean;
}

function nameAction({ isProposal, isOverridden, isRelease, isBack }: Action): string {
  if (isProposal) return isRelease ? 'Propose release of' : 'Propose';
  if (isRelease) return isOverridden ? 'Override and start release of' : 'Start release of';
  if (isOverridden) return 'Override and deploy';
  return isBack ? 'Roll back to' : 'Deploy';
}

function explain(label: string, current: number | undefined, isSimple: boolean): string {
  if (isSimple) return current === undefined ? `No version has the label ${label} yet.` : `${label} is at v${current}.`;
  if (label === productionLabel) {
    return current === undefined
      ? 'No version has the label production yet, so applications that do not name a label get 404. After you deploy, they get this version with their next request.'
      : `Applications get v${current} now. After you deploy, they get the new version with their next request.`;
  }
  return current === undefined ? 'Applications can fetch a version by its label.' : `${label} is at v${current}.`;
}
