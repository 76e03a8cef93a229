import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Lock } from 'lucide-react';
import { useId, useState } from 'react';
import { productionLabel } from '../../../../src/contract/label-names.ts';
import { GateNotice } from '../../checks/GateNotice.tsx';
import { describeMoveError, isGateRefusal } from '../../checks/refusal.ts';
import { useGate } from '../../checks/use-gate.ts';
import type { Prompt, Warning } from '../../lib/types.ts';
import { warningsOf } from '../../lib/warnings.ts';
import { mayMove, refreshWorkspace, useWorkspace } from '../../lib/workspace.ts';
import { IncludedAt } from '../../prompts/Affected.tsx';
import { moveLabel } from '../../prompts/actions.ts';
import { refreshPrompts, versionQuery } from '../../prompts/queries.ts';
import { startRelease } from '../../releases/actions.ts';
import { ReleaseFields } from '../../releases/ReleaseFields.tsx';
import { RunningNotice } from '../../releases/RunningNotice.tsx';
import { isReleaseRefusal } from '../../releases/refusal.tsx';
import { activeRelease } from '../../releases/release.ts';
import { findProblems, initialForm, type ReleaseForm, toRelease } from '../../releases/release-form.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorText, FormError, inputClass } from '../../ui/Field.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { Select } from '../../ui/Select.tsx';
import { draftOf } from '../drafts/draft.ts';
import { giveDefault } from '../drafts/give-default.ts';
import { VersionComparison } from '../versions/VersionComparison.tsx';
import { VersionSelect } from '../versions/VersionSelect.tsx';
import { LabelRules } from './LabelRules.tsx';
import { findLabelProblem, offeredLabels } from './labels.ts';
import { RemoveLabelDialog } from './RemoveLabelDialog.tsx';
import { usePointedAt } from './use-pointed-at.ts';
import { WarningList } from './WarningList.tsx';

interface DeployDialogProps {
  prompt: Prompt;
  version: number;
  /** The first label to deploy, and the labels to deploy after it. */
  labels?: string[] | undefined;
  /** Whether the dialog first offers a release, and not a deployment to everyone. */
  isRelease?: boolean | undefined;
  onClose: () => void;
  onDeployed: () => void;
  /** Opens a version in the editor and adds a default for a variable. */
  onDefault?: ((version: number, variable: string, text: string) => void) | undefined;
}

const other = 'Other label…';
const modes = [
  { value: 'everyone', label: 'To everyone' },
  { value: 'some', label: 'To some first' },
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
  const offered = offeredLabels(prompt.labels);
  const [choice, setChoice] = useState(offered.includes(firstLabel) ? firstLabel : other);
  const [typed, setTyped] = useState(offered.includes(firstLabel) ? '' : firstLabel);
  const [version, setVersion] = useState(first);
  const [removing, setRemoving] = useState(false);
  const [busy, setBusy] = useState(false);
  const [override, setOverride] = useState<string>();
  const [error, setError] = useState<string>();
  const [found, setFound] = useState<{ at: string; warnings: Warning[] }>();
  const [mode, setMode] = useState<'everyone' | 'some'>(startsRelease ? 'some' : 'everyone');
  const [form, setForm] = useState<ReleaseForm>(initialForm);
  const navigate = useNavigate();
  const labelId = useId();
  const label = choice === other ? typed.trim() : choice;
  const current = prompt.labels[label];
  const isBack = current !== undefined && version < current;
  const problem = label === '' ? undefined : findLabelProblem(label);
  const isLabel = label !== '' && problem === undefined;
  const running = activeRelease(prompt, label);
  const isPossible = isLabel && current !== version && running === undefined && mayMove(workspace, label);
  // Without a version at the label, there is no version that the others could keep.
  const isRelease = mode === 'some' && isPossible && current !== undefined;
  const problems = isRelease ? findProblems(form) : {};
  const { data: shown } = useQuery(versionQuery(prompt.name, version));
  const wasThere = usePointedAt(prompt, { label, version });
  const gate = useGate(prompt, label, version, wasThere);
  const at = `${label} ${version}`;
  const warnings = found?.at === at ? found.warnings : [];
  const isOverridden = gate.state === 'closed' && override !== undefined;
  const isOpen = isOverridden ? override.trim() !== '' : gate.state !== 'closed' && gate.state !== 'loading';

  const showReleases = () => navigate({ to: '/dashboard/prompts/$', params: { _splat: prompt.name }, search: { view: 'releases' } });
  const deploy = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const strict = warnings.length === 0 && !wasThere;
      const reason = isOverridden ? override.trim() : undefined;
      const target = { name: prompt.name, label, strict };
      if (isRelease) {
        const override = reason === undefined ? undefined : { override: reason };
        await startRelease({ ...target, ...toRelease(form, { control: current, version }), ...override });
      } else await moveLabel({ ...target, version, previous: current, override: reason });
      onDeployed();
      if (isRelease && next.length === 0) await showReleases();
    } catch (err) {
      const refused = warningsOf(err);
      if (refused) setFound({ at, warnings: refused });
      else setError(describeMoveError(err, { label, version }));
      setBusy(false);
      // Someone changed the test cases, gated the label, or started a release.
      if (isGateRefusal(err) || isReleaseRefusal(err)) await Promise.all([refreshWorkspace(), refreshPrompts()]);
    }
  };

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
      description={explain(label, current, running !== undefined || isRelease) + (next.length === 0 ? '' : ` Next: ${next.join(', ')}.`)}
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
              {nameAction({ isOverridden, isRelease, isBack })} {`v${version}`}
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
      <div className="mb-4 flex flex-wrap items-end gap-3">
        <VersionSelect label="Version" isLabelVisible prompt={prompt} value={version} onChange={setVersion} />
        <div className="min-w-0">
          <label htmlFor={labelId} className="mb-1.5 flex items-center gap-1.5 font-medium">
            To
            {workspace.protectedLabels.includes(label) && <Lock role="img" aria-label="(protected)" className="size-3 text-ink-3" />}
          </label>
          <Select id={labelId} value={choice} onChange={(event) => setChoice(event.target.value)}>
            {[...offered, other].map((each) => (
              <option key={each}>{each}</option>
            ))}
          </Select>
        </div>
        {choice === other && (
          <span className="w-40">
            <input
              aria-label="New label"
              aria-invalid={problem ? true : undefined}
              aria-describedby={problem && `${labelId}-error`}
              placeholder="canary"
              spellCheck={false}
              autoCapitalize="none"
              className={inputClass}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          </span>
        )}
      </div>
      <ErrorText id={`${labelId}-error`}>{problem}</ErrorText>
      {choice === other && label === '' && <p className="-mt-2 mb-4 text-ink-3 text-xs">Enter the name of the label to deploy to.</p>}
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
      {isPossible && (
        <GateNotice
          gate={gate}
          prompt={prompt}
          version={version}
          label={label}
          override={override}
          onOverride={setOverride}
          onClose={onClose}
        />
      )}
      {/* Prompts that include this one keep the control. */}
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

function nameAction({ isOverridden, isRelease, isBack }: { isOverridden: boolean; isRelease: boolean; isBack: boolean }): string {
  if (isRelease) return isOverridden ? 'Override and start release of' : 'Start release of';
  if (isOverridden) return 'Override and deploy';
  return isBack ? 'Roll back to' : 'Deploy';
}

function explain(label: string, current: number | undefined, isDivided: boolean): string {
  if (isDivided) return `${label} is at v${current}.`;
  if (label === productionLabel) {
    return current === undefined
      ? 'Requests without a label get 404. After you deploy, applications get this version with their next request.'
      : `Applications get v${current} now. After you deploy, they get the new version with their next request.`;
  }
  return current === undefined ? 'Applications can fetch a version by its label.' : `${label} is at v${current}.`;
}
