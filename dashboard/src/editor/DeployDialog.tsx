import { useId, useState } from 'react';
import { latestLabel, productionLabel } from '../../../src/contract/label-names.ts';
import { labelPattern } from '../../../src/contract/limits.ts';
import { messageOf } from '../lib/api.ts';
import type { Prompt } from '../lib/types.ts';
import { moveLabel } from '../prompts/actions.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorText, FormError, inputClass } from '../ui/Field.tsx';
import { Select } from '../ui/Select.tsx';
import { VersionComparison } from './VersionComparison.tsx';

interface DeployDialogProps {
  prompt: Prompt;
  version: number;
  onClose: () => void;
}

const other = 'Other label…';
const validLabel = new RegExp(labelPattern);

/** Moves a label to a version, after showing what changes for applications that use it. */
export function DeployDialog({ prompt, version: first, onClose }: DeployDialogProps) {
  const [choice, setChoice] = useState<string>(productionLabel);
  const [typed, setTyped] = useState('');
  const [version, setVersion] = useState(first);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [labelId, versionId, ruleId] = [useId(), useId(), useId()];
  const label = choice === other ? typed.trim() : choice;
  const current = prompt.labels[label];
  const isBack = current !== undefined && version < current;
  const labels = [...new Set([productionLabel, 'staging', ...Object.keys(prompt.labels)])];
  const labelError = findLabelError(label);
  const isPossible = label !== '' && labelError === undefined && current !== version;

  const deploy = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await moveLabel({ name: prompt.name, label, version, previous: current });
      onClose();
    } catch (err) {
      setError(messageOf(err));
      setBusy(false);
    }
  };

  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title="Deploy"
      description={explain(label, current)}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={busy} disabled={!isPossible} onClick={deploy}>
            {isBack ? `Roll back to v${version}` : `Deploy v${version}`}
          </Button>
        </>
      }
    >
      <FormError>{error}</FormError>
      <div className="mb-4 flex flex-wrap items-end gap-3">
        <div>
          <label htmlFor={versionId} className="mb-1.5 block font-medium">
            Version
          </label>
          <Select id={versionId} value={version} onChange={(event) => setVersion(Number(event.target.value))}>
            {Array.from({ length: prompt.latestVersion }, (_, index) => prompt.latestVersion - index).map((number) => (
              <option key={number} value={number}>
                v{number}
                {number === prompt.latestVersion ? ' (latest)' : ''}
              </option>
            ))}
          </Select>
        </div>
        <div className="min-w-0">
          <label htmlFor={labelId} className="mb-1.5 block font-medium">
            To
          </label>
          <Select id={labelId} value={choice} onChange={(event) => setChoice(event.target.value)}>
            {[...labels, other].map((each) => (
              <option key={each}>{each}</option>
            ))}
          </Select>
        </div>
        {choice === other && (
          <span className="w-40">
            <input
              aria-label="New label"
              placeholder="canary"
              spellCheck={false}
              autoCapitalize="none"
              aria-invalid={labelError !== undefined}
              aria-describedby={ruleId}
              className={inputClass}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          </span>
        )}
      </div>
      {choice === other && <LabelRule id={ruleId} error={labelError} />}
      {current === version && (
        <p className="rounded-md bg-sunken px-3 py-6 text-center text-ink-3">{`${label} is already at v${version}.`}</p>
      )}
      {current === undefined && label !== '' && labelError === undefined && (
        <p className="rounded-md bg-sunken px-3 py-6 text-center text-ink-3">{`${label} does not exist yet, so there is nothing to compare.`}</p>
      )}
      {current !== undefined && current !== version && <VersionComparison prompt={prompt} from={current} to={version} />}
    </Dialog>
  );
}

function explain(label: string, current: number | undefined): string {
  if (label === productionLabel) {
    const now = current === undefined ? '' : `, now v${current}`;
    return `Applications get the version in production${now}. The change takes effect with their next request.`;
  }
  return current === undefined ? 'Applications can fetch a version by its label.' : `${label} is at v${current}.`;
}

const labelRule = 'Up to 50 lowercase letters, digits, dots, dashes and underscores. It starts and ends with a letter or digit.';

function findLabelError(label: string): string | undefined {
  if (label === latestLabel) return `${latestLabel} always is the newest version and cannot be moved.`;
  return label === '' || validLabel.test(label) ? undefined : labelRule;
}

/** The rule as a hint, or as the error once the typed label breaks it. */
function LabelRule({ id, error }: { id: string; error: string | undefined }) {
  return (
    <div className="-mt-2 mb-4">
      {error === undefined ? (
        <p id={id} className="text-ink-3 text-xs">
          {labelRule}
        </p>
      ) : (
        <ErrorText id={id}>{error}</ErrorText>
      )}
    </div>
  );
}
