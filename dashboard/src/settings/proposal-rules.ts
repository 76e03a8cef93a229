import { includesRole } from '../../../src/contract/roles.ts';
import { call } from '../lib/api.ts';
import { queryClient } from '../lib/query-client.ts';
import type { ProposalRule } from '../lib/types.ts';
import { type CurrentWorkspace, settingsQuery } from '../lib/workspace.ts';

/** Returns whether the user may change or remove a rule. A user who may not override a rule must not be able to remove it first. */
export function mayChangeRule({ role }: Pick<CurrentWorkspace, 'role'>, rule: ProposalRule | undefined): boolean {
  return includesRole(role, rule === undefined || rule.override === 'admin' ? 'admin' : 'owner');
}

/** Requires proposals for moves of a label according to a rule, or no longer requires them if there is no rule. */
export async function setProposalRule(label: string, rule: ProposalRule | undefined): Promise<void> {
  // The rules are read again, because another admin may have changed them.
  const { labelRules } = await queryClient.fetchQuery({ ...settingsQuery, staleTime: 0 });
  const others = Object.entries(labelRules).filter(([each]) => each !== label);
  await call('updateWorkspace', { body: { labelRules: Object.fromEntries(rule ? [...others, [label, rule]] : others) } });
  await queryClient.invalidateQueries(settingsQuery);
}
