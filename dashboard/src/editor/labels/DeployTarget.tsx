import type { Prompt } from '../../lib/types.ts';
import { VersionSelect } from '../versions/VersionSelect.tsx';
import { type ChosenLabel, LabelSelect } from './LabelSelect.tsx';

/** The version and the label to deploy it to. */
export interface Target extends ChosenLabel {
  version: number;
}

interface DeployTargetProps {
  prompt: Prompt;
  target: Target;
  onChange: (change: Partial<Target>) => void;
}

/** Selects a version and the label to deploy it to. */
export function DeployTarget({ prompt, target, onChange }: DeployTargetProps) {
  return (
    <LabelSelect prompt={prompt} target={target} onChange={onChange}>
      <VersionSelect
        label="Version"
        isLabelVisible
        prompt={prompt}
        value={target.version}
        onChange={(chosen) => onChange({ version: chosen })}
      />
    </LabelSelect>
  );
}
