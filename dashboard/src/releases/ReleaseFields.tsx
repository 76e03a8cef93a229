import { useId } from 'react';
import type { Prompt } from '../lib/types.ts';
import { Field } from '../ui/Field.tsx';
import { Select } from '../ui/Select.tsx';
import { GuardFields, useMetrics } from './GuardFields.tsx';
import { GuideLink, KeysPreview } from './KeysPreview.tsx';
import { More } from './More.tsx';
import { titleMetric } from './metrics.ts';
import { RuleFields } from './RuleFields.tsx';
import type { Problems, ReleaseForm } from './release-form.ts';
import { stepsOf } from './release-form.ts';
import { ShareField } from './ShareField.tsx';
import { SplitBar } from './SplitBar.tsx';

interface ReleaseFieldsProps {
  prompt: Prompt;
  label: string;
  /** The version that all other callers keep. */
  control: number;
  version: number;
  form: ReleaseForm;
  problems: Problems;
  onChange: (form: ReleaseForm) => void;
}

/** Selects who gets a version first, and how the release continues. */
export function ReleaseFields({ prompt, label, control, version, form, problems, onChange }: ReleaseFieldsProps) {
  const set = (change: Partial<ReleaseForm>) => onChange({ ...form, ...change });
  const arms = [{ version, weight: form.weight }];
  return (
    <section aria-label="Release" className="mb-4 space-y-5 rounded-md border border-line p-4">
      <div className="space-y-3">
        <ShareField label={`Share of v${version}`} value={form.weight} onChange={(weight = 0) => set({ weight })} />
        {problems.weight === undefined && <SplitBar control={control} arms={arms} />}
        {problems.weight === undefined && <KeysPreview prompt={prompt} label={label} control={control} weight={form.weight} />}
      </div>
      <StepFields form={form} problem={problems.steps} onChange={set} />
      <GuardFields
        name={prompt.name}
        version={version}
        guards={form.guards}
        onRegression={form.onRegression}
        problem={problems.guards}
        onChange={set}
      />
      <More title="More options">
        <div className="mt-3 space-y-5">
          <div className="grid gap-4 sm:grid-cols-2">
            <Field
              label="Units that each version needs"
              inputMode="numeric"
              value={form.minUnits}
              error={problems.minUnits}
              hint="A unit is a key with results. The service takes a step only after every version has this many."
              onChange={(event) => set({ minUnits: event.target.value })}
            />
            <Field
              label="Minutes between steps"
              inputMode="numeric"
              value={form.everyMinutes}
              error={problems.everyMinutes}
              hint="The shortest time before the next step."
              onChange={(event) => set({ everyMinutes: event.target.value })}
            />
          </div>
          <MetricField name={prompt.name} value={form.metric} onChange={(metric) => set({ metric })} />
          <RuleFields
            rules={form.rules}
            version={version}
            control={control}
            problem={problems.rules}
            onChange={(rules) => set({ rules })}
          />
        </div>
      </More>
      <p className="text-ink-3 text-xs">
        While the release runs, {label} stays at v{control} and cannot be moved. You can pause the release or roll it back at any time.{' '}
        <GuideLink />
      </p>
    </section>
  );
}

interface StepFieldsProps {
  form: ReleaseForm;
  problem: string | undefined;
  onChange: (change: Partial<ReleaseForm>) => void;
}

function StepFields({ form, problem, onChange }: StepFieldsProps) {
  return (
    <div className="space-y-2">
      <label className="flex cursor-pointer items-start gap-2">
        <input
          type="checkbox"
          className="mt-0.75 shrink-0 accent-accent"
          checked={form.isStepped}
          onChange={(event) => onChange({ isStepped: event.target.checked })}
        />
        <span>
          <span className="font-medium">Widen step by step</span>
          <span className="block text-ink-3 text-xs">
            The service takes the next step once it is statistically certain that the version is not worse than the control. After the last
            step, you decide whether to finish the release.
          </span>
        </span>
      </label>
      {form.isStepped && (
        <div className="max-w-xs pl-5.5">
          <Field
            label="Steps in percent"
            placeholder="5, 25, 50"
            spellCheck={false}
            autoComplete="off"
            value={stepsOf(form)}
            error={problem}
            onChange={(event) => onChange({ steps: event.target.value })}
          />
        </div>
      )}
    </div>
  );
}

function MetricField({ name, value, onChange }: { name: string; value: string; onChange: (metric: string) => void }) {
  const id = useId();
  const metrics = useMetrics(name);
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block font-medium">
        Metric to improve
      </label>
      <Select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">None</option>
        {metrics.map(({ metric }) => (
          <option key={metric} value={metric}>
            {titleMetric(metric)}
          </option>
        ))}
      </Select>
      <p className="mt-1.5 text-ink-3 text-xs">Shown with the results. This choice does not affect the release.</p>
    </div>
  );
}
