import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { latestLabel, productionLabel } from '../../../src/contract/label-names.ts';
import { findLabelProblem } from '../editor/labels/labels.ts';
import { findProposalRule, mayManage, useWorkspace } from '../lib/workspace.ts';
import { overviewQuery } from '../prompts/queries.ts';
import { describeRule } from '../proposals/rules.ts';
import { LabelBadge } from '../ui/Badge.tsx';
import { Section } from '../ui/Card.tsx';
import { Field } from '../ui/Field.tsx';
import { LabelRuleSwitch } from './LabelRuleSwitch.tsx';
import { ProposalRuleSetting } from './ProposalRuleSetting.tsx';

/** Shows who may move which labels, and to which versions. The rules apply to every prompt of the workspace. */
export function LabelsPage() {
  const workspace = useWorkspace();
  const { data: overview } = useQuery(overviewQuery());
  const [typed, setTyped] = useState('');
  const problem = typed === '' ? undefined : findLabelProblem(typed);
  const { protectedLabels, gatedLabels, labelRules } = workspace;
  const known = [productionLabel, 'staging', ...protectedLabels, ...gatedLabels, ...Object.keys(labelRules), ...(overview?.labels ?? [])];
  const added = typed !== '' && problem === undefined ? [typed] : [];
  const labels = [...new Set([...known, ...added])].filter((label) => label !== latestLabel);
  const canManage = mayManage(workspace);
  const describe = (label: string) => {
    const rule = findProposalRule(workspace, label);
    const text = describeRules(protectedLabels.includes(label), gatedLabels.includes(label));
    return rule ? `${text} Moving it requires a proposal. ${describeRule(rule)}` : text;
  };
  return (
    <Section title="Labels" description={describePage(canManage, workspace.role)}>
      <ul className="divide-y divide-line border-line border-y">
        {labels.map((label) => (
          <li key={label} className="py-3">
            <div className="mb-2">
              <LabelBadge label={label} isProtected={protectedLabels.includes(label)} />
            </div>
            {canManage ? (
              <fieldset aria-label={`Rules for ${label}`} className="grid gap-3 sm:grid-cols-2">
                <LabelRuleSwitch rule="protectedLabels" label={label} />
                <LabelRuleSwitch rule="gatedLabels" label={label} />
                <ProposalRuleSetting label={label} />
              </fieldset>
            ) : (
              <p className="text-ink-2">{describe(label)}</p>
            )}
          </li>
        ))}
      </ul>
      {canManage && (
        <div className="mt-4 max-w-xs">
          <Field
            label="Another label"
            spellCheck={false}
            autoCapitalize="none"
            placeholder="canary"
            value={typed}
            onChange={(event) => setTyped(event.target.value.trim())}
            error={problem}
            hint="The label appears above, so that you can set its rules before a prompt uses it."
          />
        </div>
      )}
    </Section>
  );
}

function describePage(canManage: boolean, role: string): string {
  const text = 'Label rules apply to every prompt in this workspace, however a label is moved.';
  return canManage ? text : `${text} Your role is ${role}. Only admins can change the rules.`;
}

function describeRules(isProtected: boolean, isGated: boolean): string {
  if (!isProtected && !isGated) return 'Every editor can move it to any version.';
  return `${isProtected ? 'Only deployers and admins can move it' : 'Every editor can move it'}, ${
    isGated ? 'and only to versions that have passed the prompt’s test cases' : 'to any version'
  }.`;
}
