import { ArrowRight, Lock } from 'lucide-react';
import { useId, useState } from 'react';
import { productionLabel } from '../../../../src/contract/label-names.ts';
import type { Prompt } from '../../lib/types.ts';
import { mayMove, useWorkspace } from '../../lib/workspace.ts';
import { activeRelease, describeArms } from '../../releases/release.ts';
import { ErrorText, inputClass } from '../../ui/Field.tsx';
import { findLabelProblem, offeredLabels } from './labels.ts';

interface LabelChoiceProps {
  prompt: Prompt;
  /** The version that the selected labels will point at. */
  version: number;
  chosen: string[];
  onChange: (labels: string[]) => void;
}

/** Selects the labels to move to a new version, and shows the version that each points at now. */
export function LabelChoice({ prompt, version, chosen, onChange }: LabelChoiceProps) {
  const workspace = useWorkspace();
  const current = prompt.labels;
  const offered = offeredLabels(current);
  const [typed, setTyped] = useState(chosen.find((label) => !offered.includes(label)) ?? '');
  const inputId = useId();
  const problem = typed === '' ? undefined : findLabelProblem(typed);
  const ticked = chosen.filter((label) => offered.includes(label));

  /** Returns why a label cannot be chosen. */
  const findObstacle = (label: string) => activeRelease(prompt, label) && `${label} has a release. Finish it or roll it back first.`;
  const toggle = (label: string) => onChange(chosen.includes(label) ? chosen.filter((each) => each !== label) : [...chosen, label]);
  const type = (text: string) => {
    const label = text.trim();
    setTyped(label);
    onChange(label === '' || ticked.includes(label) ? ticked : [...ticked, label]);
  };

  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">Deploy to</legend>
      <div className="flex flex-wrap items-center gap-2">
        {offered.map((label) => (
          <label
            key={label}
            className="flex h-8 items-center gap-2 rounded-md border border-line-strong px-2.5 hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft has-disabled:opacity-60"
            title={findObstacle(label)}
          >
            <input
              type="checkbox"
              className="accent-accent"
              disabled={findObstacle(label) !== undefined}
              checked={chosen.includes(label)}
              onChange={() => toggle(label)}
            />
            {label}
            {!mayMove(workspace, label) && <Lock role="img" aria-label="(protected)" className="size-3 text-ink-3" />}
            <span className="flex items-center gap-1 text-ink-3 text-xs tabular">
              {activeRelease(prompt, label) ? (
                `release: ${describeArms(activeRelease(prompt, label)?.arms ?? [])}`
              ) : current[label] === undefined ? (
                'new'
              ) : (
                <>
                  v{current[label]} <ArrowRight aria-label="to" className="size-3" /> v{version}
                </>
              )}
            </span>
          </label>
        ))}
        <span className="w-36">
          <input
            id={inputId}
            aria-label="Another label"
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem && `${inputId}-error`}
            placeholder="Another label"
            spellCheck={false}
            autoCapitalize="none"
            className={inputClass}
            value={typed}
            onChange={(event) => type(event.target.value)}
          />
        </span>
      </div>
      <ErrorText id={`${inputId}-error`}>{problem}</ErrorText>
      <p className="mt-1.5 text-ink-3 text-xs">{explain(chosen, current[productionLabel])}</p>
    </fieldset>
  );
}

function explain(chosen: string[], production: number | undefined): string {
  if (chosen.includes(productionLabel)) return 'Applications get this version with their next request.';
  return production === undefined
    ? 'Without the label production, applications can fetch this prompt only by another label or by version.'
    : `Applications keep getting version ${production} from production.`;
}
