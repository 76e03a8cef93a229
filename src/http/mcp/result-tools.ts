import { Type } from 'typebox';
import { ResultsQuery } from '../../contract/results.ts';
import { getPromptResults, getResults } from '../../domain/results/results.ts';
import { defineTool, Name } from './tool.ts';

const { from, to, label, model } = ResultsQuery.properties;
/** The maximum number of prompts in a result, so that the result fits into the context of a model. */
const maxPrompts = 50;

/** The tool that reads the reports of applications about their model calls. */
export const resultTools = [
  defineTool({
    name: 'get_results',
    title: 'Get results',
    description:
      'Returns the results of a prompt in production: calls, errors, durations, tokens, cost in US dollars and scores, by version and by model, ' +
      'with the deployments and releases in the range. Without a name, returns the 50 prompts of the workspace with the highest cost. The ' +
      'default range is the last 24 hours.',
    operation: 'getPromptResults',
    input: Type.Object({ name: Type.Optional(Name), from, to, label, model }, { additionalProperties: false }),
    annotations: { readOnlyHint: true },
    async run({ ctx, actor }, { name, label: onlyLabel, model: onlyModel, ...range }) {
      // The tool does not return the series of values over time, so the interval only decides how long the range may be.
      const query = { ...range, interval: 'day' as const };
      if (name === undefined) {
        const { prompts, totals, models, dropped, ...shown } = await getResults(ctx, actor, query);
        return { ...rangeOf(shown), totals, prompts: prompts.slice(0, maxPrompts), models, dropped };
      }
      const filters = { ...(onlyLabel !== undefined && { label: onlyLabel }), ...(onlyModel !== undefined && { model: onlyModel }) };
      const results = await getPromptResults(ctx, actor, name, { ...query, ...filters });
      const { versions, models, deployments, comparison, releases } = results;
      return { ...rangeOf(results), versions, models, deployments, comparison, releases };
    },
  }),
];

function rangeOf({ from: start, to: end }: { from: string; to: string }) {
  return { from: start, to: end };
}
