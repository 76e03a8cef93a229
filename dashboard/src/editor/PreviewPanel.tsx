import type { PromptType } from '../lib/types.ts';
import { PreviewOutput } from './PreviewOutput.tsx';
import type { PreviewState } from './use-preview.ts';
import { VariablesCard } from './VariablesCard.tsx';

interface PreviewPanelProps {
  type: PromptType;
  preview: PreviewState;
  onKeepCase?: (() => void) | undefined;
}

export function PreviewPanel({ type, preview, onKeepCase }: PreviewPanelProps) {
  return (
    <div className="space-y-4">
      <VariablesCard preview={preview} onKeep={onKeepCase} />
      <PreviewOutput type={type} preview={preview} />
    </div>
  );
}
