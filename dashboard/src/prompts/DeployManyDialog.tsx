import { useId, useState } from 'react';
import { latestLabel, productionLabel } from '../../../src/contract/label-names.ts';
import { labelPattern, maxProposalChanges } from '../../../src/contract/limits.ts';
import { call, messageOf } from '../lib/api.ts';
import { plural } from '../lib/format.ts';
import type { Prompt, Proposal } from '../lib/types.ts';
import { warningsOf } from '../lib/warnings.ts';
import { findProposalRule, mayEdit, mayMove, useWorkspace } from '../lib/workspace.ts';
import { openProposal } from '../proposals/actions.ts';
import { ProposalOpened } from '../proposals/ProposalOpened.tsx';
import { ProposeFields } from '../proposals/ProposeFields.tsx';
import { emptyProposal, toProposal } from '../proposals/proposal-form.ts';
import { activeRelease } from '../releases/release.ts';
import { Field, FormError } from '../ui/Field.tsx';
import { Select } from '../ui/Select.tsx';
import { toast } from '../ui/toasts.ts';
import { type BulkProgress, runForEach, toastFailures } from './actions.ts';
import { BulkDialog, type BulkDialogOptions } from './BulkDialog.tsx';
import { countNames } from './filters.ts';
import { refreshPrompts } from './queries.ts';
import { RefusedDialog, type RefusedMove } from './RefusedDialog.tsx';
import { WarnedDialog, type WarnedMove } from './WarnedDialog.tsx';

const validLabel = new RegExp(labelPattern);

interface Outcome {
  refused: RefusedMove[];
  deployed: number;
  /** The prompts in which the label has not moved, because something would fail there and the user has not confirmed the move yet. */
  warned: WarnedMove[];
}

/**
 * Moves a label of several prompts to their latest versions, or to the versions of another label. If the label requires proposals, opens
 * one proposal for all of them.
 */
export function DeployManyDialog({ prompts, onClose, onDone }: BulkDialogOptions<Prompt>) {
  const [label, setLabel] = useState<string>(productionLabel);
  const [source, setSource] = useState<string>(latestLabel);
  const [outcome, setOutcome] = useState<Outcome>();
  const sourceId = useId();
  const sources = [latestLabel, ...countNames(prompts.map(({ labels }) => Object.keys(labels)))];
  const workspace = useWorkspace();
  const rule = findProposalRule(workspace, label);
  const isProposal = mayEdit(workspace) && (rule !== undefined || !mayMove(workspace, label));
  const [form, setForm] = useState(emptyProposal);
  const [opened, setOpened] = useState<Proposal>();
  const [error, setError] = useState<string>();
  const problem = findProblem(label);
  const released = prompts.filter((prompt) => activeRelease(prompt, label)).length;
  const moves = new Map(prompts.flatMap((prompt) => toMove(prompt, label, source)));

  const put = (name: string, version: number | undefined, strict = false) => {
    const path = { name, label };
    if (version === undefined) return call('removeLabel', { path });
    return call('moveLabel', { path, query: strict ? { strict: 'true' } : {}, body: { version } });
  };
  const apply = async (
    names: string[],
    earlier: Omit<Outcome, 'warned'>,
    { strict, progress }: { strict: boolean; progress?: BulkProgress },
  ) => {
    const warned: WarnedMove[] = [];
    const move = async (name: string) => {
      try {
        await put(name, moves.get(name)?.to, strict);
      } catch (err) {
        const warnings = warningsOf(err);
        if (!warnings) throw err;
        warned.push({ name, warnings });
      }
    };
    const result = await runForEach(names, move, progress);
    const { done: tried, refused: notPassed } = result;
    await refreshPrompts();
    const done = tried.filter((name) => !warned.some((each) => each.name === name));
    const undo = async () => {
      await runForEach(done, (name) => put(name, moves.get(name)?.from));
      await refreshPrompts();
    };
    if (done.length > 0) toast(`${label} moved in ${plural(done.length, 'prompt')}.`, { undo: () => void undo() });
    const refused = [...earlier.refused, ...notPassed.map((name) => ({ name, version: moves.get(name)?.to ?? 0 }))];
    const deployed = earlier.deployed + done.length;
    if (warned.length + refused.length === 0) return result;
    // A dialog about the failures would hide the questions about the other prompts, so failures are reported in a message.
    if (progress) toastFailures(result.failed, names.length);
    setOutcome({ refused, deployed, warned });
    return undefined;
  };
  const deployAll = (progress: BulkProgress) => apply([...moves.keys()], { refused: [], deployed: 0 }, { strict: true, progress });

  const proposeAll = async () => {
    setError(undefined);
    try {
      const changes = [...moves].map(([prompt, { to }]) => ({ prompt, label, version: to }));
      setOpened(await openProposal(toProposal(form, changes)));
    } catch (err) {
      setError(messageOf(err));
    }
    return undefined;
  };

  if (opened) return <ProposalOpened proposal={opened} onClose={onDone} />;
  if (outcome && outcome.warned.length > 0) {
    const names = outcome.warned.map(({ name }) => name);
    const leave = () => (outcome.refused.length > 0 ? setOutcome({ ...outcome, warned: [] }) : onDone());
    const confirm = async () => {
      if (await apply(names, outcome, { strict: false })) onDone();
    };
    return <WarnedDialog label={label} warned={outcome.warned} onCancel={leave} onConfirm={confirm} />;
  }
  if (outcome) return <RefusedDialog label={label} refused={outcome.refused} deployed={outcome.deployed} onClose={onDone} />;

  return (
    <BulkDialog
      title={`Deploy ${plural(prompts.length, 'prompt')}`}
      confirm={`${isProposal ? 'Propose' : 'Deploy'}${moves.size === 0 ? '' : ` ${plural(moves.size, 'prompt')}`}`}
      isPossible={problem === undefined && moves.size > 0 && !(isProposal && moves.size > maxProposalChanges)}
      onClose={onClose}
      onConfirm={isProposal ? proposeAll : deployAll}
      onDone={onDone}
    >
      <div>
        <label htmlFor={sourceId} className="mb-1.5 block font-medium">
          Version
        </label>
        <Select id={sourceId} className="w-full" value={source} onChange={(event) => setSource(event.target.value)}>
          {sources.map((each) => (
            <option key={each} value={each}>
              {each === latestLabel ? 'Latest version of each prompt' : `Version at ${each}`}
            </option>
          ))}
        </Select>
      </div>
      <Field
        label="To label"
        spellCheck={false}
        autoCapitalize="none"
        value={label}
        onChange={(event) => setLabel(event.target.value.trim())}
        error={problem}
      />
      <p className="text-ink-2">
        {moves.size === 0
          ? 'Nothing changes.'
          : isProposal
            ? 'All labels move together when the proposal is applied.'
            : `Applications get the new version of ${plural(moves.size, 'prompt')} with their next request.`}
        {isProposal &&
          moves.size > maxProposalChanges &&
          ` One proposal can move at most ${maxProposalChanges} labels. Select fewer prompts.`}
        {moves.size > 0 && moves.size < prompts.length && ` The other prompts do not change.`}
        {released > 0 && ` ${plural(released, 'prompt')} with a release on ${label} ${released === 1 ? 'is' : 'are'} skipped.`}
        {workspace.gatedLabels.includes(label) &&
          ` ${label} requires passing checks. ${isProposal ? 'All versions must have passed before the proposal is applied.' : 'Versions that have not passed are skipped and listed.'}`}
      </p>
      {isProposal && problem === undefined && <ProposeFields label={label} rule={rule} form={form} onChange={setForm} />}
      <FormError>{error}</FormError>
    </BulkDialog>
  );
}

function findProblem(label: string): string | undefined {
  if (validLabel.test(label) && label !== latestLabel) return undefined;
  return 'Use 1 to 50 lowercase letters, digits, dots, dashes and underscores. The label latest cannot be set.';
}

function toMove(prompt: Prompt, label: string, source: string): [string, { from: number | undefined; to: number }][] {
  const { name, labels, latestVersion } = prompt;
  if (activeRelease(prompt, label)) return [];
  const to = source === latestLabel ? latestVersion : labels[source];
  return to === undefined || to === labels[label] ? [] : [[name, { from: labels[label], to }]];
}
