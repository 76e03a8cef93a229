import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call, errorsByField, messageOf } from '../lib/api.ts';
import { formatNumber } from '../lib/format.ts';
import { queryClient } from '../lib/query-client.ts';
import type { DailyBudget } from '../lib/types.ts';
import { settingsQuery } from '../lib/workspace.ts';
import { Button } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { Field, FormError } from '../ui/Field.tsx';
import { toast } from '../ui/toasts.ts';

const description =
  'The most that runs and checks may spend per day. Once the budget is used up, runs and checks are rejected until midnight UTC.';

/** The daily budget of the workspace, which admins set. */
export function BudgetSection({ canManage }: { canManage: boolean }) {
  const settings = useQuery(settingsQuery);
  if (!settings.data) return null;
  const { dailyBudget } = settings.data;
  if (canManage) return <BudgetForm key={JSON.stringify(dailyBudget)} budget={dailyBudget} />;
  return (
    <Section title="Daily budget" description={description}>
      <p>{describe(dailyBudget)}</p>
    </Section>
  );
}

function BudgetForm({ budget }: { budget: DailyBudget }) {
  const [cost, setCost] = useState(toText(budget.cost));
  const [tokens, setTokens] = useState(toText(budget.tokens));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const problems = { cost: findProblem(cost, false), tokens: findProblem(tokens, true) };
  const isUnchanged = cost.trim() === toText(budget.cost) && tokens.trim() === toText(budget.tokens);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await call('updateWorkspace', { body: { dailyBudget: { cost: toLimit(cost), tokens: toLimit(tokens) } } });
      await queryClient.invalidateQueries(settingsQuery);
      toast('Budget saved.');
    } catch (err) {
      setError(err);
    }
    setBusy(false);
  };
  return (
    <form onSubmit={save} noValidate>
      <Section
        title="Daily budget"
        description={description}
        footer={
          <div className="flex items-center justify-between gap-3">
            <p className="text-ink-3 text-xs">Leave empty for no limit. Enter 0 to reject all runs.</p>
            <Button
              type="submit"
              kind="primary"
              busy={busy}
              disabled={isUnchanged || problems.cost !== undefined || problems.tokens !== undefined}
            >
              Save
            </Button>
          </div>
        }
      >
        <div className="grid max-w-md gap-4 sm:grid-cols-2">
          <Field
            label="Cost in US dollars"
            inputMode="decimal"
            autoComplete="off"
            placeholder="No limit"
            value={cost}
            onChange={(event) => setCost(event.target.value)}
            error={problems.cost}
            hint="The cost includes only models that have a price."
          />
          <Field
            label="Tokens"
            inputMode="numeric"
            autoComplete="off"
            placeholder="No limit"
            value={tokens}
            onChange={(event) => setTokens(event.target.value)}
            error={problems.tokens}
            hint="Input and output tokens combined."
          />
        </div>
        <FormError>{error === undefined ? undefined : (errorsByField(error).dailyBudget ?? messageOf(error))}</FormError>
      </Section>
    </form>
  );
}

function toText(limit: number | null): string {
  return limit === null ? '' : String(limit);
}

function toLimit(text: string): number | null {
  return text.trim() === '' ? null : Number(text);
}

function findProblem(text: string, isWhole: boolean): string | undefined {
  const limit = toLimit(text);
  if (limit === null) return undefined;
  if (!Number.isFinite(limit) || limit < 0 || limit > 1_000_000_000) return 'Enter a number from 0 to 1,000,000,000.';
  return isWhole && !Number.isInteger(limit) ? 'Enter a whole number.' : undefined;
}

function describe({ cost, tokens }: DailyBudget): string {
  const limits = [...(cost === null ? [] : [`$${formatNumber(cost)}`]), ...(tokens === null ? [] : [`${formatNumber(tokens)} tokens`])];
  return limits.length === 0 ? 'No limit.' : `${limits.join(' and ')}.`;
}
