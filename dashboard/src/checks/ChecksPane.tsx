import { useQuery } from '@tanstack/react-query';
import { ListChecks, Plus, Upload } from 'lucide-react';
import { useCallback, useState } from 'react';
import { DeleteCaseDialog } from '../cases/DeleteCaseDialog.tsx';
import { EditCaseDialog } from '../cases/EditCaseDialog.tsx';
import { ImportDialog } from '../cases/ImportDialog.tsx';
import { NewCaseDialog } from '../cases/NewCaseDialog.tsx';
import { casesQuery } from '../cases/queries.ts';
import { VersionSelect } from '../editor/versions/VersionSelect.tsx';
import type { Candidate, Case, CheckSummary, Prompt } from '../lib/types.ts';
import { mayEdit, useWorkspace } from '../lib/workspace.ts';
import { versionQuery } from '../prompts/queries.ts';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Problem } from '../ui/Problem.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { CaseList } from './CaseList.tsx';
import type { CaseAction } from './CaseRow.tsx';
import { checksQuery } from './queries.ts';
import { RunChecks } from './RunChecks.tsx';
import { useShownRuns } from './use-shown-runs.ts';

interface ChecksPaneProps {
  prompt: Prompt;
  /** The values of the preview, with which a new test case starts. */
  values: Record<string, unknown>;
  /** The candidate to check. Without it, the user selects a version. */
  candidate?: Candidate;
}

type OpenDialog = 'new' | 'import' | { action: CaseAction; current: Case };

/** The test cases of a prompt and their results for its versions. */
export function ChecksPane({ prompt, values, candidate }: ChecksPaneProps) {
  const cases = useQuery(casesQuery(prompt.name));
  const checks = useQuery(checksQuery(prompt.name));
  const [dialog, setDialog] = useState<OpenDialog>();
  const canEdit = mayEdit(useWorkspace());
  const failed = [cases, checks].find(({ isError, data }) => isError && !data);
  if (failed) return <Problem error={failed.error} onRetry={() => failed.refetch()} />;
  if (!cases.data || !checks.data) return <Loading label="Loading test cases" rows={6} />;
  return (
    <>
      {cases.data.length === 0 && checks.data.length === 0 ? (
        <NoCases canEdit={canEdit} onOpen={setDialog} />
      ) : (
        <Results prompt={prompt} candidate={candidate} cases={cases.data} checks={checks.data} canEdit={canEdit} onOpen={setDialog} />
      )}
      {dialog !== undefined && <CaseDialogs name={prompt.name} values={values} dialog={dialog} onClose={() => setDialog(undefined)} />}
    </>
  );
}

function NoCases({ canEdit, onOpen }: { canEdit: boolean; onOpen: (dialog: OpenDialog) => void }) {
  return (
    <Card>
      <EmptyState
        icon={ListChecks}
        title="No test cases yet"
        action={
          canEdit && (
            <div className="flex flex-wrap justify-center gap-2">
              <Button onClick={() => onOpen('import')}>
                <Upload aria-hidden className="size-4" />
                Import
              </Button>
              <Button kind="primary" onClick={() => onOpen('new')}>
                <Plus aria-hidden className="size-4" /> New test case{' '}
              </Button>
            </div>
          )
        }
      >
        A test case has variables for the prompt and checks for the output. Run the test cases on every version, and let labels move only to
        versions that pass.
      </EmptyState>
    </Card>
  );
}

interface ResultsProps {
  prompt: Prompt;
  candidate: Candidate | undefined;
  cases: Case[];
  checks: CheckSummary[];
  canEdit: boolean;
  onOpen: (dialog: OpenDialog) => void;
}

function Results({ prompt, candidate, cases, checks, canEdit, onOpen }: ResultsProps) {
  const [chosen, setChosen] = useState<number>();
  const shown = useShownRuns(prompt, checks, candidate && { candidate });
  const version = chosen ?? prompt.latestVersion;
  const { data: content } = useQuery({ ...versionQuery(prompt.name, version), enabled: !candidate });
  const act = useCallback((action: CaseAction, current: Case) => onOpen({ action, current }), [onOpen]);
  return (
    <div className="space-y-5">
      {canEdit && cases.length > 0 && (
        <Card className="p-4">
          <RunChecks
            prompt={prompt}
            subject={candidate ? { candidate } : { version }}
            content={candidate ?? content}
            cases={cases}
            last={checks[0]}
            label={`Run ${cases.length === 1 ? 'the test case' : `all ${cases.length} test cases`}`}
            kind="primary"
            onStart={() => shown.choose({})}
          >
            {!candidate && <VersionSelect label="Version" isLabelVisible prompt={prompt} value={version} onChange={setChosen} />}
          </RunChecks>
        </Card>
      )}
      <CaseList
        promptName={prompt.name}
        cases={cases}
        checks={checks}
        shown={shown}
        canEdit={canEdit}
        onNew={() => onOpen('new')}
        onImport={() => onOpen('import')}
        onAction={act}
      />
    </div>
  );
}

interface CaseDialogsProps {
  name: string;
  values: Record<string, unknown>;
  dialog: OpenDialog;
  onClose: () => void;
}

function CaseDialogs({ name, values, dialog, onClose }: CaseDialogsProps) {
  if (dialog === 'new') return <NewCaseDialog promptName={name} values={values} onClose={onClose} />;
  if (dialog === 'import') return <ImportDialog promptName={name} onClose={onClose} />;
  const { action, current } = dialog;
  if (action === 'edit') return <EditCaseDialog promptName={name} edited={current} onClose={onClose} />;
  if (action === 'delete') return <DeleteCaseDialog promptName={name} deleted={current} onClose={onClose} />;
  const from = { name: `${current.name} (copy)`.slice(0, 200), checks: current.checks };
  return <NewCaseDialog promptName={name} values={current.variables} from={from} onClose={onClose} />;
}
