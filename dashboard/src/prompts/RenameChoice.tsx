import { TriangleAlert } from 'lucide-react';
import { formatNumber } from '../lib/format.ts';
import { type Dependents, describeDependents } from './dependents.ts';
import { labelsOf } from './rename-dependents.ts';

/** The user's decision about the prompts that include a renamed one. */
interface RenameDecision {
  save: boolean;
  labels: ReadonlySet<string>;
}

/** The safest default: new versions are saved, and nothing is deployed unless the user chooses to. */
export const defaultDecision: RenameDecision = { save: true, labels: new Set() };

interface RenameChoiceProps {
  dependents: Dependents;
  name: string;
  decision: RenameDecision;
  onChange: (decision: RenameDecision) => void;
}

export function RenameChoice({ dependents, name, decision, onChange }: RenameChoiceProps) {
  const labels = labelsOf(dependents.dependents);
  const toggle = (label: string) => {
    const chosen = new Set(decision.labels);
    if (!chosen.delete(label)) chosen.add(label);
    onChange({ ...decision, labels: chosen });
  };
  return (
    <fieldset className="space-y-3 rounded-md border border-line p-3">
      <legend className="sr-only">Prompts that include it</legend>
      <p className="flex items-start gap-2 text-warn">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
        Included by {describeDependents(dependents)}. These prompts cannot be rendered until they use the new name.
      </p>
      <label className="flex items-start gap-2">
        <input
          type="checkbox"
          className="mt-1 accent-accent"
          checked={decision.save}
          onChange={(event) => onChange({ ...decision, save: event.target.checked })}
        />
        <span>
          Save new versions of these prompts that include <span className="font-medium wrap-anywhere">{name}</span>
          <span className="block text-ink-3 text-xs">
            Nothing else in these prompts changes.
            {!dependents.isComplete && ` Only the ${formatNumber(dependents.dependents.length)} oldest prompts get a new version.`}
          </span>
        </span>
      </label>
      {decision.save && labels.length > 0 && (
        <div className="pl-6">
          <p className="mb-1">And deploy the new versions to</p>
          <div className="flex flex-wrap gap-x-4 gap-y-1">
            {labels.map((label) => (
              <label key={label} className="flex items-center gap-2">
                <input type="checkbox" className="accent-accent" checked={decision.labels.has(label)} onChange={() => toggle(label)} />
                {label}
              </label>
            ))}
          </div>
          <p className="mt-1 text-ink-3 text-xs">
            Labels that you do not select stay on their current versions. Renders with those labels fail until you move the labels to the
            new versions. While the new versions are saved, renders may fail briefly.
          </p>
        </div>
      )}
    </fieldset>
  );
}
