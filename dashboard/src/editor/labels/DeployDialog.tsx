import { useQuery } from '@tanstack/react-query';
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
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorText, FormError, inputClass } from '../../ui/Field.tsx';
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
  onClose: () => void;
  onDeployed: () => void;
  /** Opens a version in the editor and adds a default for a variable. */
  onDefault?: ((version: number, variable: string, text: string) => void) | undefined;
}

const other = 'Other label…';

/** Shows what changes for the applications that use a label, then moves it to a version. */
export function DeployDialog({ prompt, version: first, labels = [], onClose, onDeployed, onDefault }: DeployDialogProps) {
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
  const labelId = useId();
  const label = choice === other ? typed.trim() : choice;
  const current = prompt.labels[label];
  const isBack = current !== undefined && version < current;
  const problem = label === '' ? undefined : findLabelProblem(label);
  const isLabel = label !== '' && problem === undefined;
  const isPossible = isLabel && current !== version && mayMove(workspace, label);
  const { data: shown } = useQuery(versionQuery(prompt.name, version));
  const wasThere = usePointedAt(prompt, { label, version });
  const gate = useGate(prompt, label, version, wasThere);
  const at = `${label} ${version}`;
  const warnings = found?.at === at ? found.warnings : [];
  const isOverridden = gate.state === 'closed' && override !== undefined;
  const isOpen = isOverridden ? override.trim() !== '' : gate.state !== 'closed' && gate.state !== 'loading';

  const deploy = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const strict = warnings.length === 0 && !wasThere;
      const reason = isOverridden ? override.trim() : undefined;
      await moveLabel({ name: prompt.name, label, version, previous: current, override: reason, strict });
      onDeployed();
    } catch (err) {
      const refused = warningsOf(err);
      if (refused) setFound({ at, warnings: refused });
      else setError(describeMoveError(err, { label, version }));
      setBusy(false);
      // Someone changed the test cases or gated the label.
      if (isGateRefusal(err)) await Promise.all([refreshWorkspace(), refreshPrompts()]);
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
      description={explain(label, current) + (next.length === 0 ? '' : ` Next: ${next.join(', ')}.`)}
      footer={
        <>
          {current !== undefined && mayMove(workspace, label) && (
            <Button kind="danger-quiet" className="mr-auto max-w-full" onClick={() => setRemoving(true)}>
              <span className="truncate">Remove {label}</span>
            </Button>
          )}
          <div className="flex gap-2">
            <Button onClick={onClose}>Cancel</Button>
            <Button kind="primary" busy={busy} disabled={!isPossible || !isOpen} onClick={deploy}>
              {isOverridden ? 'Override and deploy' : isBack ? 'Roll back to' : 'Deploy'} {`v${version}`}
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
      <div className="mb-4 has-[:empty]:hidden">
        <IncludedAt name={prompt.name} labels={[label]} />
      </div>
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

function explain(label: string, current: number | undefined): string {
  if (label === productionLabel) {
    return current === undefined
      ? 'Requests without a label get 404. After you deploy, applications get this version with their next request.'
      : `Applications get v${current} now. After you deploy, they get the new version with their next request.`;
  }
  return current === undefined ? 'Applications can fetch a version by its label.' : `${label} is at v${current}.`;
}
