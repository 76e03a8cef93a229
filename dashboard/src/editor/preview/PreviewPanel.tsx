import { type Dispatch, type SetStateAction, useState } from 'react';
import type { PromptType } from '../../lib/types.ts';
import { RunCard } from '../../runs/RunCard.tsx';
import type { RunPlace } from '../../runs/use-run-session.ts';
import type { Draft } from '../drafts/draft.ts';
import { PreviewOutput } from './PreviewOutput.tsx';
import { countMissing } from './preview-values.ts';
import type { PreviewState } from './use-preview.ts';
import { VariablesCard } from './VariablesCard.tsx';

interface PreviewPanelProps {
  type: PromptType;
  draft: Draft;
  setDraft: Dispatch<SetStateAction<Draft>>;
  preview: PreviewState;
  run: EditorRun;
  onSaveCase?: (() => void) | undefined;
}

/** The content of an editor, and the place in which its runs are shown. */
export interface EditorRun extends RunPlace {
  /** The name of the prompt. Undefined if the prompt is not saved yet. */
  promptName?: string;
  /** The version that equals the draft, if any. */
  version?: number | undefined;
  /** The id of the candidate that equals the draft, if any. */
  candidate?: string | undefined;
}

/** Shows the values, and the result for them: the rendered prompt or a model's output. */
export function PreviewPanel({ type, draft, setDraft, preview, run, onSaveCase }: PreviewPanelProps) {
  const { promptName, version, candidate, ...place } = run;
  const [isFolded, setFolded] = useState(false);
  // A run needs space for its output, unless it fails because of missing values.
  const foldVariables = () => setFolded(countMissing(preview.variables, preview.entries) === 0);
  return (
    <div className="space-y-4">
      <VariablesCard
        preview={preview}
        isFolded={run.isShown && isFolded}
        onUnfold={() => setFolded(false)}
        onSaveCase={onSaveCase}
        declarations={{
          variables: draft.variables,
          onChange: (change) => setDraft((before) => ({ ...before, variables: change(before.variables) })),
        }}
      />
      {run.isShown ? (
        <RunCard
          place={place}
          type={type}
          draft={draft}
          entries={preview.entries}
          rendered={preview.rendered}
          promptName={promptName}
          version={version}
          candidate={candidate}
          onStart={foldVariables}
        />
      ) : (
        <PreviewOutput type={type} draft={draft} preview={preview} place={place} />
      )}
    </div>
  );
}
