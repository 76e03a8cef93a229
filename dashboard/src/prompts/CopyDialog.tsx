import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { findNameProblem, normalizeName } from '../../../src/contract/prompt-names.ts';
import { includesRole } from '../../../src/contract/roles.ts';
import { plural } from '../lib/format.ts';
import type { Prompt } from '../lib/types.ts';
import { mayEdit, titleOf, useWorkspace, workspacesQuery } from '../lib/workspace.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { Select } from '../ui/Select.tsx';
import { toast } from '../ui/toasts.ts';
import { AffectedByMany } from './AffectedByMany.tsx';
import { CopyReport } from './CopyReport.tsx';
import { copyPrompts, type CopyReport as Report } from './copy-prompts.ts';
import { refreshPrompts } from './queries.ts';

interface CopyDialogProps {
  prompts: Prompt[];
  onClose: () => void;
  /** Called after the dialog was closed, if anything was copied. */
  onDone?: () => void;
  /** Leaves the page of a prompt that was moved. */
  leave?: () => Promise<void>;
}

const maxShown = 5;

/** Copies or moves prompts to another workspace in which the user may write. */
export function CopyDialog({ prompts, onClose, onDone, leave }: CopyDialogProps) {
  const current = useWorkspace();
  const { data: workspaces } = useQuery(workspacesQuery);
  const targets = workspaces?.filter(({ id, role }) => id !== current.id && includesRole(role, 'editor')) ?? [];
  const selectId = useId();
  const [chosen, setChosen] = useState<string>();
  const [act, setAct] = useState<'copy' | 'move'>('copy');
  const [single, ...others] = prompts;
  const isSingle = others.length === 0;
  const [text, setText] = useState(isSingle ? (single?.name ?? '') : '');
  const [progress, setProgress] = useState<number>();
  const [report, setReport] = useState<Report>();

  const target = targets.find(({ id }) => id === chosen) ?? targets[0];
  const entered = normalizeName(text.trim()).replace(/\/+$/, '');
  const problem = entered === '' && !isSingle ? undefined : findNameProblem(entered);
  const toName = (name: string) => (isSingle ? entered : entered === '' ? name : `${entered}/${name}`);
  const names = new Map(prompts.map(({ name }) => [name, toName(name)]));
  const move = act === 'move';

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!target || problem !== undefined || progress !== undefined) return;
    setProgress(0);
    const result = await copyPrompts({ workspace: target.id, move, names }, setProgress);
    const hasMoved = move && result.done.length > 0;
    if (result.problems.length === 0) toast(`${describe(result.done)} ${move ? 'moved' : 'copied'} to ${titleOf(target)}.`);
    else setReport(result);
    if (hasMoved && result.problems.length === 0) await leave?.();
    if (hasMoved) await refreshPrompts();
    if (result.problems.length === 0) close(result);
  };
  const close = (result = report) => {
    onClose();
    if (result && result.done.length > 0) onDone?.();
    if (report && move && report.done.length > 0) void leave?.();
  };

  if (report && target) return <CopyReport report={report} move={move} target={titleOf(target)} onClose={() => close()} />;
  const title = `${move ? 'Move' : 'Copy'} ${isSingle ? (single?.name ?? '') : plural(prompts.length, 'prompt')}`;
  return (
    <Dialog open onOpenChange={() => progress === undefined && onClose()} title={title}>
      {workspaces && targets.length === 0 ? (
        <NoTargets onClose={onClose} />
      ) : (
        <form onSubmit={submit} className="space-y-4" noValidate>
          <div>
            <label htmlFor={selectId} className="mb-1.5 block font-medium">
              Workspace
            </label>
            <Select id={selectId} className="w-full" value={target?.id ?? ''} onChange={(event) => setChosen(event.target.value)}>
              {targets.map((workspace) => (
                <option key={workspace.id} value={workspace.id}>
                  {titleOf(workspace)}
                </option>
              ))}
            </Select>
          </div>
          {mayEdit(current) && <Segmented label="Copy or move" value={act} options={acts} onChange={setAct} />}
          <Field
            label={isSingle ? 'Name' : 'Folder'}
            spellCheck={false}
            autoCapitalize="none"
            value={text}
            onChange={(event) => setText(event.target.value)}
            error={problem}
            hint={isSingle ? undefined : 'Leave empty to keep the names.'}
          />
          {!isSingle && <Names names={[...names.values()]} />}
          <p className="text-ink-2">
            {move
              ? 'Versions, labels, test cases and history move too. The original goes to the bin of this workspace, where applications can no longer fetch it.'
              : 'Versions, labels, test cases and history are copied too. Runs and statistics are not.'}
          </p>
          {move && <AffectedByMany names={prompts.map(({ name }) => name)} />}
          <div className="flex items-center justify-end gap-2">
            <span aria-live="polite" className="mr-auto text-ink-3 tabular">
              {progress !== undefined && !isSingle && `${progress} of ${prompts.length}`}
            </span>
            <Button onClick={onClose} disabled={progress !== undefined}>
              Cancel
            </Button>
            <Button type="submit" kind="primary" busy={progress !== undefined} disabled={!target || problem !== undefined}>
              {move ? 'Move' : 'Copy'}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

const acts = [
  { value: 'copy', label: 'Copy' },
  { value: 'move', label: 'Move' },
] as const;

function NoTargets({ onClose }: { onClose: () => void }) {
  return (
    <>
      <p className="mb-4">
        There is no other workspace in which you can write prompts. Create a team workspace in the workspace menu, or ask an admin of
        another workspace for the editor role.
      </p>
      <div className="flex justify-end">
        <Button onClick={onClose}>Close</Button>
      </div>
    </>
  );
}

function Names({ names }: { names: string[] }) {
  return (
    <ul aria-label="Resulting names" className="rounded-md bg-sunken px-3 py-2 text-ink-2">
      {names.slice(0, maxShown).map((name) => (
        <li key={name} dir="auto" className="wrap-anywhere">
          {name}
        </li>
      ))}
      {names.length > maxShown && <li className="text-ink-3">and {names.length - maxShown} more</li>}
    </ul>
  );
}

function describe(names: string[]): string {
  return names.length === 1 ? String(names[0]) : plural(names.length, 'prompt');
}
