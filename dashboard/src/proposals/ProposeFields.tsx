import { useQuery } from '@tanstack/react-query';
import { GitPullRequestArrow } from 'lucide-react';
import { Override } from '../checks/Override.tsx';
import { plural } from '../lib/format.ts';
import { sessionQuery } from '../lib/session.ts';
import type { ProposalRule } from '../lib/types.ts';
import { mayMove, useWorkspace } from '../lib/workspace.ts';
import { membersQuery } from '../members/queries.ts';
import { Field } from '../ui/Field.tsx';
import type { ProposalForm } from './proposal-form.ts';
import { TextArea } from './TextArea.tsx';

interface ProposeFieldsProps {
  label: string;
  rule: ProposalRule | undefined;
  form: ProposalForm;
  onChange: (form: ProposalForm) => void;
  /** The reason for moving the label without a proposal. Undefined if the user proposes the move. */
  override?: string | undefined;
  /** Called with the reason for an override. Undefined if the user cannot move the label without a proposal. */
  onOverride?: ((reason: string | undefined) => void) | undefined;
}

/** Says why the label requires a proposal, and asks for the information that reviewers need. */
export function ProposeFields({ label, rule, form, onChange, override, onOverride }: ProposeFieldsProps) {
  const set = (change: Partial<ProposalForm>) => onChange({ ...form, ...change });
  return (
    <section aria-label="Proposal" className="mb-4 space-y-4 rounded-md border border-line bg-sunken p-3">
      <p role="status" className="flex items-start gap-2">
        <GitPullRequestArrow aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-3" />
        {explain(label, rule)}
      </p>
      {override === undefined && (
        <>
          <TextArea
            label="What is this for?"
            hint="Optional. Reviewers read it first."
            value={form.message}
            onChange={(message) => set({ message })}
          />
          <Reviewers label={label} chosen={form.reviewers} onChange={(reviewers) => set({ reviewers })} />
          <div className="max-w-60">
            <Field
              label="Apply at"
              type="datetime-local"
              hint="Optional. Without a time, a person applies the approved proposal."
              value={form.applyAt}
              onChange={(event) => set({ applyAt: event.target.value })}
            />
          </div>
        </>
      )}
      {onOverride && <Override text="Deploy without a proposal" value={override} onChange={onOverride} />}
    </section>
  );
}

function explain(label: string, rule: ProposalRule | undefined): string {
  if (!rule)
    return `You cannot move ${label}, but you can propose the move to members who can. Nothing changes until they apply the proposal.`;
  if (rule.approvals === 0) return `Moving ${label} requires a proposal. Nothing changes until this proposal is applied.`;
  return `Moving ${label} requires a proposal. This one needs ${plural(rule.approvals, 'approval')}, and nothing changes until it is applied.`;
}

interface ReviewersProps {
  label: string;
  chosen: string[];
  onChange: (chosen: string[]) => void;
}

/** Selects members who are asked for a review. Only members who may approve a move of the label are offered. */
function Reviewers({ label, chosen, onChange }: ReviewersProps) {
  const { protectedLabels } = useWorkspace();
  const { data: user } = useQuery(sessionQuery);
  const { data } = useQuery(membersQuery);
  const offered = (data?.members ?? []).filter(
    ({ userId, kind, role }) => kind === 'person' && userId !== user?.userId && mayMove({ role, protectedLabels }, label),
  );
  if (!data) return null;
  if (offered.length === 0) return <p className="text-ink-3 text-xs">No other member may approve a move of {label} yet.</p>;
  const toggle = (id: string) => onChange(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]);
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">Ask for a review</legend>
      <div className="flex max-h-40 flex-wrap gap-2 overflow-y-auto">
        {offered.map(({ userId, name }) => (
          <label
            key={userId}
            className="flex h-8 max-w-full items-center gap-2 rounded-md border border-line-strong bg-surface px-2.5 hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input type="checkbox" className="accent-accent" checked={chosen.includes(userId)} onChange={() => toggle(userId)} />
            <span className="truncate">{name}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
