import { type Static, Type } from 'typebox';
import { productionLabel } from './label-names.ts';
import { listOf } from './lists.ts';
import { objectOf, orNull } from './shapes.ts';
import { PromptType } from './versions.ts';

const exampleDependent = {
  id: 'p_mhz1k3p0_0005f0c9a7e21d4b836',
  name: 'support/triage',
  type: 'text',
  via: null,
  includes: [{ label: productionLabel, version: 3, labels: ['latest', productionLabel] }],
  callsLast24Hours: 1197,
};
export const Dependent = objectOf('Dependent', exampleDependent, {
  id: Type.String(),
  name: Type.String(),
  type: PromptType,
  via: orNull(Type.String(), 'The prompt through which the dependent includes this one. Null if the dependent includes this one directly.'),
  includes: Type.Array(
    Type.Object({
      label: Type.String({ description: 'The label at which the dependent includes this prompt, or the prompt in `via`.' }),
      version: Type.Integer({ description: 'The version of the dependent that has the include.' }),
      labels: Type.Array(Type.String(), { description: 'The labels of the dependent that point at this version, including `latest`.' }),
    }),
  ),
  callsLast24Hours: Type.Integer({ minimum: 0, description: 'How often the dependent was called in the last 24 hours.' }),
});
export type Dependent = Static<typeof Dependent>;

export const DependentList = listOf('DependentList', Dependent);

const JudgedPrompt = objectOf(
  'JudgedPrompt',
  { name: 'support/triage', cases: 2 },
  {
    name: Type.String(),
    cases: Type.Integer({ minimum: 1, description: 'The number of its test cases that use this prompt as a judge.' }),
  },
);
export type JudgedPrompt = Static<typeof JudgedPrompt>;

export const JudgedPrompts = Type.Object({ data: Type.Array(JudgedPrompt) }, { title: 'JudgedPrompts' });
